import { zlibSync } from 'fflate';
import type { ObjectNumbers, PdfObject } from '../write/tail-object.ts';
import { cidsOfCff } from './cff-charset.ts';
import type { Sfnt } from './sfnt.ts';
import type { FontSubset } from './subsetter.ts';
import { toUnicodeCMap } from './to-unicode.ts';

/**
 * Writes a subset as a composite font: Type0 with Identity-H, so a code is a CID of two bytes, over a CIDFontType2
 * (TrueType) or CIDFontType0 (CFF) with widths, descriptor, font file and ToUnicode (ISO 32000-2 §9.7).
 *
 * One glyph may represent different texts (an initial form shared by two letters). Each pair of glyph and text is a
 * *character* here. With TrueType outlines it has its own CID: /CIDToGIDMap maps several CIDs to one glyph. A CFF font
 * has no such map, so the first text wins.
 */
export interface FontCharacter {
  /** Glyph id in the full font. */
  readonly glyph: number;
  readonly text: string;
}

export interface PdfFont {
  /** The Type0 font's object number. */
  readonly num: number;
  readonly objects: readonly PdfObject[];
  /** The two-byte code of each character, in the order given. */
  readonly codes: readonly number[];
}

export function writePdfFont(
  font: Sfnt,
  subset: FontSubset,
  characters: readonly FontCharacter[],
  numbers: ObjectNumbers,
  compress: boolean,
): PdfFont {
  const { codes, cidToGid } = assignCodes(font, subset, characters);
  const [type0, cidFont, descriptor, fontFile, toUnicode] = [
    numbers.next(),
    numbers.next(),
    numbers.next(),
    numbers.next(),
    numbers.next(),
  ];
  const name = `${subsetTag(characters)}+${font.postScriptName}`;
  const objects: PdfObject[] = [
    object(
      type0,
      `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H ` +
        `/DescendantFonts [${cidFont} 0 R] /ToUnicode ${toUnicode} 0 R >>`,
    ),
    object(descriptor, descriptorOf(font, name, fontFile)),
    font.cff
      ? stream(fontFile, tableOf(subset.file, 'CFF '), '/Subtype /CIDFontType0C', compress)
      : stream(fontFile, subset.file, `/Length1 ${subset.file.length}`, compress),
    stream(toUnicode, ascii(toUnicodeCMap(textsOf(characters, codes))), '', compress),
  ];
  let map = font.cff ? '' : '/CIDToGIDMap /Identity ';
  if (cidToGid !== undefined) {
    const num = numbers.next();
    objects.push(stream(num, cidToGid, '', compress));
    map = `/CIDToGIDMap ${num} 0 R `;
  }
  objects.push(
    object(
      cidFont,
      `<< /Type /Font /Subtype /CIDFontType${font.cff ? 0 : 2} /BaseFont /${name} ` +
        `/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ` +
        `/FontDescriptor ${descriptor} 0 R ${map}/DW ${thousandths(font, font.advance(0))} ` +
        `/W [${widthsOf(font, characters, codes)}] >>`,
    ),
  );
  return { num: type0, objects, codes };
}

/** Returns an advance in whole thousandths of the em. /W, layout and shaping all use this value. */
export function thousandths(font: Sfnt, units: number): number {
  return Math.round((units * 1000) / font.unitsPerEm);
}

function assignCodes(font: Sfnt, subset: FontSubset, characters: readonly FontCharacter[]) {
  const gids = characters.map(({ glyph }) => {
    const gid = subset.glyphs.get(glyph);
    if (gid === undefined) throw new Error('bug: a drawn glyph is not in its subset');
    return gid;
  });
  if (font.cff) {
    const cff = tableOf(subset.file, 'CFF ');
    const cids = cidsOfCff(new DataView(cff.buffer, cff.byteOffset, cff.length), subset.glyphs.size);
    return { codes: cids === undefined ? gids : gids.map((gid) => cids[gid] ?? 0), cidToGid: undefined };
  }
  if (new Set(gids).size === gids.length) return { codes: gids, cidToGid: undefined };
  const cidToGid = new Uint8Array((gids.length + 1) * 2);
  gids.forEach((gid, index) => {
    cidToGid[index * 2 + 2] = gid >> 8;
    cidToGid[index * 2 + 3] = gid & 0xff;
  });
  return { codes: gids.map((_, index) => index + 1), cidToGid };
}

function textsOf(characters: readonly FontCharacter[], codes: readonly number[]): [number, string][] {
  const byCode = new Map<number, string>([[0, '\ufffd']]);
  characters.forEach(({ text }, index) => {
    const code = codes[index] ?? 0;
    if (!byCode.has(code)) byCode.set(code, text);
  });
  return [...byCode].sort(([a], [b]) => a - b);
}

/** `first [w w w]` groups over consecutive codes. */
function widthsOf(font: Sfnt, characters: readonly FontCharacter[], codes: readonly number[]): string {
  const widths = new Map<number, number>();
  characters.forEach(({ glyph }, index) => {
    widths.set(codes[index] ?? 0, thousandths(font, font.advance(glyph)));
  });
  let text = '';
  let previous = -2;
  for (const [code, width] of [...widths].sort(([a], [b]) => a - b)) {
    text += code === previous + 1 ? ` ${width}` : `${previous < 0 ? '' : '] '}${code} [${width}`;
    previous = code;
  }
  return text === '' ? '' : `${text}]`;
}

const FLAG_FIXED_PITCH = 1;
const FLAG_SYMBOLIC = 4;
const FLAG_ITALIC = 64;

function descriptorOf(font: Sfnt, name: string, fontFile: number): string {
  const flags =
    FLAG_SYMBOLIC | (font.fixedPitch ? FLAG_FIXED_PITCH : 0) | (font.italicAngle !== 0 ? FLAG_ITALIC : 0);
  const [left, bottom, right, top] = font.bounds.map((units) => thousandths(font, units));
  return (
    `<< /Type /FontDescriptor /FontName /${name} /Flags ${flags} /FontBBox [${left} ${bottom} ${right} ${top}] ` +
    `/ItalicAngle ${Math.round(font.italicAngle)} /Ascent ${thousandths(font, font.ascent)} ` +
    `/Descent ${-thousandths(font, font.descent)} /CapHeight ${thousandths(font, font.capHeight)} /StemV 80 ` +
    `/FontFile${font.cff ? 3 : 2} ${fontFile} 0 R >>`
  );
}

/** §9.9.2: six capitals that distinguish subsets of one font. They are a hash of the subset's content. */
function subsetTag(characters: readonly FontCharacter[]): string {
  let hash = 0x811c9dc5;
  const mix = (value: number) => {
    hash = Math.imul(hash ^ (value & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (value >>> 8), 0x01000193);
  };
  for (const { glyph, text } of characters) {
    mix(glyph);
    for (let index = 0; index < text.length; index += 1) mix(text.charCodeAt(index));
  }
  let tag = '';
  for (let rest = hash >>> 0, letter = 0; letter < 6; letter += 1) {
    tag += String.fromCharCode(65 + (rest % 26));
    rest = Math.floor(rest / 26);
  }
  return tag;
}

function tableOf(file: Uint8Array, wanted: string): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  for (let record = 12, end = 12 + view.getUint16(4) * 16; record < end; record += 16) {
    if (String.fromCharCode(...file.subarray(record, record + 4)) !== wanted) continue;
    const offset = view.getUint32(record + 8);
    return file.subarray(offset, offset + view.getUint32(record + 12));
  }
  throw new Error(`bug: the subset has no ${wanted} table`);
}

function object(num: number, text: string): PdfObject {
  return { num, body: ascii(text) };
}

/** fflate, not the platform's zlib: its output is the same in every JavaScript engine. */
export function stream(num: number, data: Uint8Array, entries: string, compress: boolean): PdfObject {
  const stored = compress ? zlibSync(data, { level: 9 }) : data;
  const filter = compress ? ' /Filter /FlateDecode' : '';
  const head = ascii(
    `<< /Length ${stored.length}${filter}${entries === '' ? '' : ` ${entries}`} >>\nstream\n`,
  );
  const tail = ascii('\nendstream');
  const body = new Uint8Array(head.length + stored.length + tail.length);
  body.set(head);
  body.set(stored, head.length);
  body.set(tail, head.length + stored.length);
  return { num, body };
}

function ascii(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}
