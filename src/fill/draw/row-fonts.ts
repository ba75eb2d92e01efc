import type { BaseFace } from '../fonts/base-face.ts';
import type { Face } from '../fonts/face.ts';
import { type FontCharacter, type PdfFont, writePdfFont } from '../fonts/pdf-font.ts';
import type { ShapedGlyph } from '../fonts/shaper.ts';
import type { Subsetter } from '../fonts/subsetter.ts';
import { ObjectNumbers, type PdfObject } from '../write/tail-object.ts';

/**
 * The fonts that one row embeds: for each face, a subset of exactly the glyphs that this row draws and the base lacks. The
 * bytes depend on that set alone (glyphs are sorted, so the order of the overlays does not matter). Rows that need the same
 * set share the result, never the state.
 */
export interface RowFont {
  readonly name: string;
  readonly num: number;
  readonly objects: readonly PdfObject[];
  readonly codes: ReadonlyMap<string, number>;
}

const MEMO_SUBSETS = 256;

export class RowFontMaker {
  readonly #subsetter: Subsetter;
  readonly #bases: ReadonlyMap<string, BaseFace>;
  readonly #memo = new Map<string, { readonly font: PdfFont; readonly codes: ReadonlyMap<string, number> }>();

  constructor(subsetter: Subsetter, bases: ReadonlyMap<string, BaseFace>) {
    this.#subsetter = subsetter;
    this.#bases = bases;
  }

  readonly #maker: Make = (face, characters, numbers) => this.#make(face, characters, numbers);

  begin(): RowFonts {
    return new RowFonts(this.#bases, this.#maker);
  }

  #make(face: Face, characters: readonly FontCharacter[], numbers: ObjectNumbers) {
    const first = numbers.next();
    const key = `${first} ${face.id} ${characters.map(characterKey).join('\u0001')}`;
    let made = this.#memo.get(key);
    if (made === undefined) {
      const subset = this.#subsetter.subset(
        face.font,
        characters.map(({ glyph }) => glyph),
      );
      // Not compressed: compression would take longer than the rest of the row.
      const font = writePdfFont(face.font, subset, characters, new ObjectNumbers(first), false);
      const codes = new Map(
        characters.map((character, index) => [characterKey(character), font.codes[index] ?? 0]),
      );
      made = { font, codes };
      if (this.#memo.size >= MEMO_SUBSETS) this.#memo.clear();
      this.#memo.set(key, made);
    }
    for (let taken = 1; taken < made.font.objects.length; taken += 1) numbers.next();
    return made;
  }
}

type Make = (
  face: Face,
  characters: readonly FontCharacter[],
  numbers: ObjectNumbers,
) => { readonly font: PdfFont; readonly codes: ReadonlyMap<string, number> };

export class RowFonts {
  readonly #bases: ReadonlyMap<string, BaseFace>;
  readonly #make: Make;
  /** Created on first use: most rows embed no font. */
  #wanted: Map<string, { readonly face: Face; readonly characters: Map<string, FontCharacter> }> | undefined;
  #finished: ReadonlyMap<string, RowFont> | undefined;

  constructor(bases: ReadonlyMap<string, BaseFace>, make: Make) {
    this.#bases = bases;
    this.#make = make;
  }

  /** Collects the glyphs of a run that the base does not have. */
  want(face: Face, glyphs: readonly ShapedGlyph[]): void {
    const base = this.#bases.get(face.id);
    for (const glyph of glyphs) {
      if (base !== undefined && baseCode(base, face, glyph) >= 0) continue;
      this.#wanted ??= new Map();
      let wanted = this.#wanted.get(face.id);
      if (wanted === undefined) {
        wanted = { face, characters: new Map() };
        this.#wanted.set(face.id, wanted);
      }
      const key = characterKey(glyph);
      if (!wanted.characters.has(key)) wanted.characters.set(key, { glyph: glyph.glyph, text: glyph.text });
    }
  }

  finish(numbers: ObjectNumbers): readonly RowFont[] {
    if (this.#wanted === undefined) return [];
    const fonts = new Map<string, RowFont>();
    for (const id of [...this.#wanted.keys()].sort(compare)) {
      const wanted = this.#wanted.get(id);
      if (wanted === undefined) continue;
      const characters = [...wanted.characters.values()].sort(
        (a, b) => a.glyph - b.glyph || compare(a.text, b.text),
      );
      const { font, codes } = this.#make(wanted.face, characters, numbers);
      fonts.set(id, { name: `R${fonts.size}`, num: font.num, objects: font.objects, codes });
    }
    this.#finished = fonts;
    return [...fonts.values()];
  }

  /** Font name and two-byte code for a glyph, after `finish`. */
  locate(face: Face, glyph: ShapedGlyph): { readonly name: string; readonly code: number } {
    const base = this.#bases.get(face.id);
    if (base !== undefined) {
      const code = baseCode(base, face, glyph);
      if (code >= 0) return { name: base.name, code };
    }
    const own = this.#finished?.get(face.id);
    const code = own?.codes.get(characterKey(glyph));
    if (own === undefined || code === undefined) throw new Error('bug: a glyph was drawn but not collected');
    return { name: own.name, code };
  }
}

/** The base's code for this glyph with this text, or -1. The replacement glyph has code 0. */
function baseCode(base: BaseFace, face: Face, { glyph, text, travels }: ShapedGlyph): number {
  if (glyph === 0) return 0;
  if (text.length !== 1 || travels === true) return -1;
  const unit = text.charCodeAt(0);
  const code = base.codes[unit] ?? 0;
  return code !== 0 && face.glyphOf(unit) === glyph ? code : -1;
}

const characterKey = ({ glyph, text }: FontCharacter) => `${glyph} ${text}`;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
