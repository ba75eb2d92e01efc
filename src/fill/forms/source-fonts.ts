import type { PdfDict, PdfRef } from '@libpdf/core';
import { readCharacterMap } from '../fonts/character-map.ts';
import { FontInvalid, readSfnt, type Sfnt } from '../fonts/sfnt.ts';
import type { SourceFaceState } from '../fonts/source-face.ts';
import type { GraphWriter } from '../prepare/graph-writer.ts';
import {
  isArray,
  isDict,
  isRef,
  isStream,
  nameOf,
  numberOf,
  type SourceDocument,
} from '../prepare/load-source.ts';
import { acroForm } from './read-fields.ts';
import { readToUnicode } from './to-unicode-map.ts';
import { fontNameOf } from './widget-look.ts';

type FontFacts = Omit<SourceFaceState, 'num'>;

/**
 * Embedded fonts that fields name in their default appearance. A font is used only if its characters can be proved to
 * exist: it must be a TrueType or OpenType program, and either a simple font in WinAnsi or Mac Roman encoding whose program
 * maps the character, or a composite font (Identity-H) whose /ToUnicode does. Otherwise our own faces are used.
 */
export class SourceFonts {
  readonly faces: SourceFaceState[] = [];
  readonly #source: SourceDocument;
  readonly #writer: GraphWriter;
  readonly #known = new Map<string, number | null>();

  constructor(source: SourceDocument, writer: GraphWriter) {
    this.#source = source;
    this.#writer = writer;
  }

  /** Returns the index in `faces` of the font that a default appearance string selects, or null if that font is not used. */
  placeOf(defaultAppearance: string | null): number | null {
    const name = fontNameOf(defaultAppearance ?? '');
    if (name === null) return null;
    let place = this.#known.get(name);
    if (place === undefined) {
      place = this.#add(name);
      this.#known.set(name, place);
    }
    return place;
  }

  #add(name: string): number | null {
    const resources = this.#source.resolve(acroForm(this.#source)?.get('DR'));
    const fonts = isDict(resources) ? this.#source.resolve(resources.get('Font')) : null;
    const entry = isDict(fonts) ? fonts.get(name) : undefined;
    const font = this.#source.resolve(entry);
    const facts = isDict(font) ? readFont(this.#source, font) : null;
    if (facts === null || !isDict(font) || facts.characters.length === 0) return null;
    const ref: PdfRef = isRef(entry) ? entry : this.#source.register(font);
    return this.faces.push({ num: this.#writer.numberOf(ref), ...facts }) - 1;
  }
}

function readFont(source: SourceDocument, font: PdfDict): FontFacts | null {
  try {
    return nameOf(source.resolve(font.get('Subtype'))) === 'Type0'
      ? compositeFont(source, font)
      : simpleFont(source, font);
  } catch (error) {
    if (error instanceof FontInvalid || error instanceof RangeError) return null;
    throw error;
  }
}

const ENCODINGS: Readonly<Record<string, string>> = {
  WinAnsiEncoding: 'windows-1252',
  MacRomanEncoding: 'macintosh',
};

function simpleFont(source: SourceDocument, font: PdfDict): FontFacts | null {
  const descriptor = source.resolve(font.get('FontDescriptor'));
  const program = isDict(descriptor) ? fontProgram(source, descriptor) : null;
  const flags = isDict(descriptor) ? (numberOf(source.resolve(descriptor.get('Flags'))) ?? 0) : SYMBOLIC;
  const encoding = source.resolve(font.get('Encoding'));
  const base = isDict(encoding) ? source.resolve(encoding.get('BaseEncoding')) : encoding;
  const label = ENCODINGS[nameOf(base) ?? ''];
  const widths = source.resolve(font.get('Widths'));
  // Readers ignore the encoding of a symbolic font (§9.6.5.4).
  if (program === null || label === undefined || !isArray(widths) || (flags & SYMBOLIC) !== 0) return null;
  const first = numberOf(source.resolve(font.get('FirstChar'))) ?? 0;
  const renamed = isDict(encoding) ? renamedCodes(source, encoding) : new Set<number>();
  const decoder = new TextDecoder(label);
  const glyphOf = readCharacterMap(program.table('cmap'), program.glyphCount);
  return collect(program, true, (put) => {
    for (let code = 0x20; code <= 0xff; code += 1) {
      const width = numberOf(source.resolve(widths.at(code - first)));
      const character = decoder.decode(Uint8Array.of(code)).charCodeAt(0);
      if (width !== null && !renamed.has(code)) put(character, code, glyphOf(character), width);
    }
  });
}

const SYMBOLIC = 1 << 2;

/** Returns the codes that /Differences redefines: their characters are not known here. */
function renamedCodes(source: SourceDocument, encoding: PdfDict): Set<number> {
  const codes = new Set<number>();
  const differences = source.resolve(encoding.get('Differences'));
  let code = 0;
  for (const item of isArray(differences) ? differences : []) {
    const resolved = source.resolve(item);
    const number = numberOf(resolved);
    if (number !== null) code = number;
    else codes.add(code++);
  }
  return codes;
}

function compositeFont(source: SourceDocument, font: PdfDict): FontFacts | null {
  const descendants = source.resolve(font.get('DescendantFonts'));
  const descendant = isArray(descendants) ? source.resolve(descendants.at(0)) : null;
  if (!isDict(descendant) || nameOf(source.resolve(font.get('Encoding'))) !== 'Identity-H') return null;
  if (nameOf(source.resolve(descendant.get('Subtype'))) !== 'CIDFontType2') return null;
  const map = source.resolve(descendant.get('CIDToGIDMap'));
  const descriptor = source.resolve(descendant.get('FontDescriptor'));
  const program = isDict(descriptor) ? fontProgram(source, descriptor) : null;
  const toUnicode = source.resolve(font.get('ToUnicode'));
  if (program === null || !isStream(toUnicode) || (map !== null && nameOf(map) !== 'Identity')) return null;
  const glyphOf = readCharacterMap(program.table('cmap'), program.glyphCount);
  const widths = cidWidths(source, descendant);
  return collect(program, false, (put) => {
    for (const [code, character] of readToUnicode(new TextDecoder('latin1').decode(decoded(toUnicode)))) {
      const mapped = glyphOf(character);
      // The program's own map, if any, must agree.
      if (mapped === 0 || mapped === code) put(character, code, code, widths(code));
    }
  });
}

/** /W and /DW (§9.7.4.3). */
function cidWidths(source: SourceDocument, descendant: PdfDict): (cid: number) => number {
  const normal = numberOf(source.resolve(descendant.get('DW'))) ?? 1000;
  const widths = new Map<number, number>();
  const array = source.resolve(descendant.get('W'));
  const items = isArray(array) ? [...array].map((item) => source.resolve(item)) : [];
  for (let at = 0; at < items.length; ) {
    const first = numberOf(items[at] ?? null) ?? 0;
    const next = items[at + 1] ?? null;
    if (isArray(next)) {
      [...next].forEach((item, index) => {
        widths.set(first + index, numberOf(source.resolve(item)) ?? normal);
      });
      at += 2;
      continue;
    }
    const last = Math.min(numberOf(next) ?? first, 0xffff);
    for (let cid = first; cid <= last; cid += 1) widths.set(cid, numberOf(items[at + 2] ?? null) ?? normal);
    at += 3;
  }
  return (cid) => widths.get(cid) ?? normal;
}

type Put = (character: number, code: number, glyph: number, width: number) => void;

function collect(program: Sfnt, narrow: boolean, fill: (put: Put) => void): FontFacts {
  const found = new Map<number, readonly [number, number]>();
  fill((character, code, glyph, width) => {
    const blank = character === 0x20 || character === 0xa0;
    const drawn = blank || program.cff || program.ink(glyph) !== undefined; // subsetting empties the glyphs that it removes
    const usable = isPlain(character) && glyph > 0 && glyph < program.glyphCount && drawn;
    if (usable && width > 0 && width < MAX_WIDTH && !found.has(character))
      found.set(character, [code, Math.round(width)]);
  });
  const entries = [...found].sort(([a], [b]) => a - b);
  const thousandths = (units: number) => Math.round((units * 1000) / program.unitsPerEm);
  return {
    narrow,
    ascent: thousandths(program.ascent),
    descent: thousandths(program.descent),
    characters: entries.map(([character]) => character),
    codes: entries.map(([, [code]]) => code),
    advances: entries.map(([, [, width]]) => width),
  };
}

const MAX_WIDTH = 10_000;

/** Characters of scripts that need neither shaping nor direction, without marks that join others. */
const isPlain = (unit: number) =>
  (unit >= 0x20 && unit <= 0x7e) ||
  (unit >= 0xa0 && unit < 0x300 && unit !== 0xad) ||
  (unit >= 0x370 && unit < 0x483) ||
  (unit >= 0x48a && unit < 0x590) ||
  (unit >= 0x1e00 && unit < 0x2000) ||
  (unit >= 0x2010 && unit < 0x2028) ||
  (unit >= 0x2030 && unit < 0x2060) ||
  (unit >= 0x20a0 && unit < 0x20d0) ||
  (unit >= 0x2100 && unit < 0x2300);

const MAX_PROGRAM = 32 << 20;

function fontProgram(source: SourceDocument, descriptor: PdfDict): Sfnt | null {
  const truetype = source.resolve(descriptor.get('FontFile2'));
  const other = source.resolve(descriptor.get('FontFile3'));
  const isOpenType = isStream(other) && nameOf(source.resolve(other.get('Subtype'))) === 'OpenType';
  const stream = isStream(truetype) ? truetype : isOpenType ? other : null;
  if (!isStream(stream)) return null;
  const bytes = decoded(stream);
  return bytes.length > MAX_PROGRAM ? null : readSfnt(bytes);
}

function decoded(stream: { getDecodedData(): Uint8Array }): Uint8Array {
  try {
    return stream.getDecodedData();
  } catch {
    throw new FontInvalid('the font cannot be decoded');
  }
}
