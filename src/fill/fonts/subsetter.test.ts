import { describe, expect, it } from 'vitest';
import { bundledFontLibrary } from '../node/bundled-fonts.ts';
import { BUILT_IN_FAMILIES, FALLBACK_FAMILIES } from './bundled-faces.ts';
import { openFace } from './face.ts';
import { Subsetter } from './subsetter.ts';

const library = bundledFontLibrary();
const files = [
  ...new Set(
    [...Object.values(BUILT_IN_FAMILIES), ...FALLBACK_FAMILIES].flatMap((family) => Object.values(family)),
  ),
];
const faces = files.flatMap((id: string) => {
  const bytes = library.face(id);
  return bytes === undefined ? [] : [openFace(id, bytes)];
});
const wanted = [1, 5, 60, 61, 90];
const digest = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

describe('[FILL61] a subset', () => {
  it('after many large fonts: the same bytes', () => {
    const busy = new Subsetter(library);
    for (const { font } of faces) busy.subset(font, wanted);
    for (const { id, font } of faces.toReversed()) {
      const alone = new Subsetter(library).subset(font, wanted);
      expect(digest(busy.subset(font, wanted).file), id).toBe(digest(alone.file));
    }
    expect(faces.length).toBeGreaterThan(12);
  });

  it('before and after a face is preprocessed: the same bytes', () => {
    for (const { id, font } of faces.filter((face) => face.font.bytes.length < 1_000_000)) {
      const subsetter = new Subsetter(library);
      const first = digest(subsetter.subset(font, wanted).file);
      for (let cut = 0; cut < 14; cut += 1) subsetter.subset(font, [cut + 1]);
      expect(digest(subsetter.subset(font, wanted).file), id).toBe(first);
    }
  });
});
