import { type GlyphOf, readCharacterMap } from './character-map.ts';
import { thousandths } from './pdf-font.ts';
import { readSfnt, type Sfnt } from './sfnt.ts';

/** A font file opened for setting text. Lengths are thousandths of the em. */
export interface Face {
  readonly id: string;
  readonly font: Sfnt;
  readonly ascent: number;
  readonly descent: number;
  readonly glyphOf: GlyphOf;
  advance(glyph: number): number;
}

export function openFace(id: string, bytes: Uint8Array): Face {
  const font = readSfnt(bytes);
  const advances = new Map<number, number>();
  return {
    id,
    font,
    ascent: thousandths(font, font.ascent),
    descent: thousandths(font, font.descent),
    glyphOf: readCharacterMap(font.table('cmap'), font.glyphCount),
    advance: (glyph) => {
      let advance = advances.get(glyph);
      if (advance === undefined) {
        advance = thousandths(font, font.advance(glyph));
        advances.set(glyph, advance);
      }
      return advance;
    },
  };
}
