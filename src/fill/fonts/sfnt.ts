/**
 * Reads the few tables of a TrueType or OpenType file (ISO/IEC 14496-22) that setting text needs: metrics, advance
 * widths, the character map, and the components of composite glyphs. The file is untrusted: all reads use a DataView, so
 * a bad offset throws a RangeError, which `readSfnt` turns into `FontInvalid`. Lazily read tables return "no glyph"
 * instead.
 */
export class FontInvalid extends Error {}

export interface Sfnt {
  readonly bytes: Uint8Array;
  readonly unitsPerEm: number;
  readonly glyphCount: number;
  /** Typographic ascent and descent (positive), in font units. */
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  readonly italicAngle: number;
  readonly fixedPitch: boolean;
  readonly bounds: readonly [number, number, number, number];
  readonly postScriptName: string;
  /** Outlines are PostScript (`CFF `) instead of TrueType (`glyf`). */
  readonly cff: boolean;
  table(tag: string): DataView | undefined;
  /** Advance width in font units. */
  advance(glyph: number): number;
  /** The edges of a glyph's ink in font units; undefined for empty and PostScript glyphs. */
  ink(glyph: number): Ink | undefined;
  /** Adds the components of composite glyphs, so that a subset of the result is complete. */
  closeOverComponents(glyphs: Set<number>): void;
}

export interface Ink {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

const MAX_GLYPHS = 65_535;

export function readSfnt(bytes: Uint8Array): Sfnt {
  try {
    return parse(bytes);
  } catch (error) {
    if (error instanceof FontInvalid) throw error;
    if (error instanceof RangeError) throw new FontInvalid('the font file is cut short or damaged');
    throw error;
  }
}

function parse(bytes: Uint8Array): Sfnt {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = readDirectory(file);
  const table = (tag: string) => tables.get(tag);
  const need = (tag: string): DataView => {
    const found = tables.get(tag);
    if (found === undefined) throw new FontInvalid(`the font has no ${tag.trim()} table`);
    return found;
  };

  const head = need('head');
  const hhea = need('hhea');
  const maxp = need('maxp');
  const hmtx = need('hmtx');
  const post = table('post');
  const cff = table('glyf') === undefined;
  if (cff && table('CFF ') === undefined)
    throw new FontInvalid('the font has no outlines that can be embedded');
  const unitsPerEm = head.getUint16(18);
  if (unitsPerEm < 16 || unitsPerEm > 16_384) throw new FontInvalid('the font has an impossible em size');
  const glyphCount = Math.min(maxp.getUint16(4), MAX_GLYPHS);
  const longMetrics = Math.max(1, Math.min(hhea.getUint16(34), glyphCount));
  if (hmtx.byteLength < longMetrics * 4) throw new FontInvalid('the font lacks advance widths');
  const ascent = hhea.getInt16(4);
  const descent = -hhea.getInt16(6);
  const os2 = table('OS/2');
  const capHeight = os2 !== undefined && os2.byteLength >= 90 ? os2.getInt16(88) : 0;

  return {
    bytes,
    unitsPerEm,
    glyphCount,
    ascent: ascent > 0 ? ascent : Math.round(unitsPerEm * 0.9),
    descent: descent > 0 ? descent : Math.round(unitsPerEm * 0.2),
    capHeight: capHeight > 0 ? capHeight : Math.round(unitsPerEm * 0.7),
    italicAngle: post === undefined ? 0 : post.getInt32(4) / 65_536,
    fixedPitch: post !== undefined && post.getUint32(12) !== 0,
    bounds: [head.getInt16(36), head.getInt16(38), head.getInt16(40), head.getInt16(42)],
    postScriptName: readPostScriptName(table('name')),
    cff,
    table,
    advance: (glyph) => hmtx.getUint16(Math.min(glyph, longMetrics - 1) * 4),
    ink: cff ? () => undefined : inkReader(head, need('loca'), need('glyf'), glyphCount),
    closeOverComponents: cff ? () => {} : componentCloser(head, need('loca'), need('glyf'), glyphCount),
  };
}

function readDirectory(file: DataView): Map<string, DataView> {
  let start = 0;
  if (file.getUint32(0) === 0x74746366 /* ttcf: take the first face */) start = file.getUint32(12);
  const kind = file.getUint32(start);
  if (kind !== 0x00010000 && kind !== 0x4f54544f /* OTTO */ && kind !== 0x74727565 /* true */) {
    throw new FontInvalid('the file is not a TrueType or OpenType font');
  }
  const tables = new Map<string, DataView>();
  const count = file.getUint16(start + 4);
  for (let index = 0; index < count; index += 1) {
    const record = start + 12 + index * 16;
    const tag = String.fromCharCode(
      file.getUint8(record),
      file.getUint8(record + 1),
      file.getUint8(record + 2),
      file.getUint8(record + 3),
    );
    const offset = file.getUint32(record + 8);
    const length = Math.min(file.getUint32(record + 12), Math.max(0, file.byteLength - offset));
    if (offset > file.byteLength) throw new FontInvalid(`the ${tag} table lies outside the font file`);
    tables.set(tag, new DataView(file.buffer, file.byteOffset + offset, length));
  }
  return tables;
}

/** Reads name 6 in the Windows platform's UTF-16, reduced to the characters that a PDF name allows. */
function readPostScriptName(name: DataView | undefined): string {
  if (name === undefined || name.byteLength < 6) return 'Font';
  const strings = name.getUint16(4);
  for (let index = 0, count = name.getUint16(2); index < count; index += 1) {
    const record = 6 + index * 12;
    if (record + 12 > name.byteLength) break;
    if (name.getUint16(record) !== 3 || name.getUint16(record + 6) !== 6) continue;
    let text = '';
    const from = strings + name.getUint16(record + 10);
    for (let at = from; at + 1 < from + name.getUint16(record + 8) && at + 1 < name.byteLength; at += 2) {
      text += String.fromCharCode(name.getUint16(at));
    }
    const plain = text.replace(/[^A-Za-z0-9-]/g, '').slice(0, 60);
    if (plain !== '') return plain;
  }
  return 'Font';
}

function offsetReader(head: DataView, loca: DataView) {
  const long = head.getInt16(50) !== 0;
  return (glyph: number) => (long ? loca.getUint32(glyph * 4) : loca.getUint16(glyph * 2) * 2);
}

function inkReader(head: DataView, loca: DataView, glyf: DataView, glyphCount: number) {
  const offsetOf = offsetReader(head, loca);
  return (glyph: number) => {
    if (glyph >= glyphCount) return undefined;
    const start = offsetOf(glyph);
    if (start === offsetOf(glyph + 1) || start + 10 > glyf.byteLength) return undefined;
    return {
      left: glyf.getInt16(start + 2),
      bottom: glyf.getInt16(start + 4),
      right: glyf.getInt16(start + 6),
      top: glyf.getInt16(start + 8),
    };
  };
}

const ARGS_ARE_WORDS = 0x0001;
const HAS_SCALE = 0x0008;
const MORE_COMPONENTS = 0x0020;
const HAS_XY_SCALE = 0x0040;
const HAS_TWO_BY_TWO = 0x0080;

/** §5.3.4 of the glyf specification: a negative contour count marks a composite glyph. */
function componentCloser(head: DataView, loca: DataView, glyf: DataView, glyphCount: number) {
  const offsetOf = offsetReader(head, loca);
  return (glyphs: Set<number>): void => {
    const open = [...glyphs];
    for (let glyph = open.pop(); glyph !== undefined; glyph = open.pop()) {
      if (glyph >= glyphCount) throw new FontInvalid('a glyph lies outside the font');
      const start = offsetOf(glyph);
      if (start === offsetOf(glyph + 1) || glyf.getInt16(start) >= 0) continue;
      let at = start + 10;
      for (let flags = MORE_COMPONENTS; (flags & MORE_COMPONENTS) !== 0; ) {
        flags = glyf.getUint16(at);
        const component = glyf.getUint16(at + 2);
        if (!glyphs.has(component)) {
          glyphs.add(component);
          open.push(component);
        }
        at += 4 + ((flags & ARGS_ARE_WORDS) !== 0 ? 4 : 2);
        if ((flags & HAS_SCALE) !== 0) at += 2;
        else if ((flags & HAS_XY_SCALE) !== 0) at += 4;
        else if ((flags & HAS_TWO_BY_TWO) !== 0) at += 8;
      }
    }
  };
}
