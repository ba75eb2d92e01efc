import type { BaseFace } from './base-face.ts';
import { NOT_IN_BASE } from './base-face.ts';

/**
 * A font of the source PDF for use in rows: the object that the source embeds, and for each character its code and
 * advance. It cannot provide further glyphs, so a text with any other character is set in our own faces. JSON.
 */
export interface SourceFaceState {
  readonly num: number;
  /** Codes are one byte (simple fonts) instead of two (Identity-H). */
  readonly narrow: boolean;
  /** In thousandths of the em. */
  readonly ascent: number;
  readonly descent: number;
  /** UTF-16 units. `codes` and `advances` have the values of each unit at the same index. */
  readonly characters: readonly number[];
  readonly codes: readonly number[];
  readonly advances: readonly number[];
}

export function openSourceFace(state: SourceFaceState, name: string): BaseFace {
  const { num, narrow, ascent, descent } = state;
  const size = state.characters.reduce((most, character) => Math.max(most, character), 0) + 1;
  const codes = new Uint16Array(size);
  const advances = new Uint16Array(size).fill(NOT_IN_BASE);
  state.characters.forEach((character, index) => {
    codes[character] = state.codes[index] ?? 0;
    advances[character] = state.advances[index] ?? NOT_IN_BASE;
  });
  return { id: `source/${num}`, num, name, narrow, ascent, descent, missing: 0, codes, advances };
}
