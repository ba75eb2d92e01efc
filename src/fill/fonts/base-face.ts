import type { ObjectNumbers, PdfObject } from '../write/tail-object.ts';
import { BASE_CHARSET, BASE_TABLE_SIZE } from './base-charset.ts';
import type { Face } from './face.ts';
import { writePdfFont } from './pdf-font.ts';
import type { Subsetter } from './subsetter.ts';

/**
 * A face in the base: object number, metrics, and for each base character its code and advance. This is plain data
 * stored with the prepared base, so that a run over Latin text opens no font file.
 */
export interface BaseFaceState {
  readonly id: string;
  readonly num: number;
  readonly ascent: number;
  readonly descent: number;
  /** Advance of the replacement glyph (code 0). */
  readonly missing: number;
  /** Aligned with BASE_CHARSET; code 0 means that this face lacks the character. */
  readonly codes: readonly number[];
  readonly advances: readonly number[];
}

/** Marks a character that is not in the base. No advance is this large. */
export const NOT_IN_BASE = 0xffff;

/** The same data as tables indexed by UTF-16 unit, for the fast path. */
export interface BaseFace {
  readonly id: string;
  readonly num: number;
  /** Its name in every /Resources dictionary. */
  readonly name: string;
  /** Codes are one byte instead of two. */
  readonly narrow: boolean;
  readonly ascent: number;
  readonly descent: number;
  readonly missing: number;
  readonly codes: Uint16Array;
  readonly advances: Uint16Array;
}

const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;

export function embedBaseFace(
  face: Face,
  subsetter: Subsetter,
  numbers: ObjectNumbers,
): { readonly objects: readonly PdfObject[]; readonly state: BaseFaceState } {
  const characters: { glyph: number; text: string }[] = [];
  const taken = new Map<number, number>();
  const slots = BASE_CHARSET.map((codePoint) => {
    const glyph = face.glyphOf(codePoint);
    // A glyph shared by two characters maps to the first one; a row that uses the second embeds it.
    if (glyph === 0 || taken.has(glyph)) return -1;
    taken.set(glyph, codePoint);
    characters.push({ glyph, text: String.fromCodePoint(codePoint) });
    return characters.length - 1;
  });
  const subset = subsetter.subset(face.font, taken.keys());
  const font = writePdfFont(face.font, subset, characters, numbers, true);
  return {
    objects: font.objects,
    state: {
      id: face.id,
      num: font.num,
      ascent: face.ascent,
      descent: face.descent,
      missing: face.advance(0),
      codes: slots.map((slot) => (slot < 0 ? 0 : (font.codes[slot] ?? 0))),
      advances: slots.map((slot) => (slot < 0 ? 0 : face.advance(characters[slot]?.glyph ?? 0))),
    },
  };
}

export function openBaseFace(state: BaseFaceState, name: string): BaseFace {
  const codes = new Uint16Array(BASE_TABLE_SIZE);
  const advances = new Uint16Array(BASE_TABLE_SIZE).fill(NOT_IN_BASE);
  BASE_CHARSET.forEach((codePoint, index) => {
    const code = state.codes[index] ?? 0;
    if (code === 0) return;
    codes[codePoint] = code;
    advances[codePoint] = state.advances[index] ?? 0;
  });
  // A no-break space looks like a space. Only the line breaker distinguishes them.
  codes[NO_BREAK_SPACE] = codes[SPACE] ?? 0;
  advances[NO_BREAK_SPACE] = advances[SPACE] ?? NOT_IN_BASE;
  const { id, num, ascent, descent, missing } = state;
  return { id, num, name, narrow: false, ascent, descent, missing, codes, advances };
}
