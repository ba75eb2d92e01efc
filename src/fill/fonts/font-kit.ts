import { type Face, openFace } from './face.ts';
import type { FontLibrary } from './font-library.ts';
import { FontInvalid } from './sfnt.ts';
import { Shaper } from './shaper.ts';
import { Subsetter } from './subsetter.ts';

/**
 * The fonts of one thread: opened faces, shaper and subsetter. Creating it awaits harfbuzz. Everything after that is
 * synchronous, because drawing a row is synchronous.
 */
export interface FontKit {
  readonly shaper: Shaper;
  readonly subsetter: Subsetter;
  /** Returns a bundled face, opened once, or undefined if its package is not installed. */
  face(id: string): Face | undefined;
}

export async function createFontKit(library: FontLibrary): Promise<FontKit> {
  const shaper = new Shaper(await import('harfbuzzjs'));
  const subsetter = new Subsetter(library);
  const faces = new Map<string, Face | undefined>();
  return {
    shaper,
    subsetter,
    face: (id) => {
      if (faces.has(id)) return faces.get(id);
      const bytes = library.face(id);
      const face = bytes === undefined ? undefined : openFace(id, bytes);
      faces.set(id, face);
      return face;
    },
  };
}

/** The faces one layout can use: the bundled ones and the fonts among its package's assets. */
export type FaceSource = (id: string) => Face | undefined;

export function faceSource(kit: FontKit, assets: ReadonlyMap<string, Uint8Array>): FaceSource {
  const own = new Map<string, Face>();
  return (id) => {
    if (!id.startsWith('assets/')) return kit.face(id);
    const known = own.get(id);
    if (known !== undefined) return known;
    const bytes = assets.get(id);
    if (bytes === undefined) throw new FontInvalid(`${id} is not in the package`);
    const face = openFace(id, bytes);
    own.set(id, face);
    return face;
  };
}
