import type { BaseFace } from '../fonts/base-face.ts';
import { utf16Hex } from '../fonts/to-unicode.ts';
import type { ContentWriter } from './content-writer.ts';
import type { Color, GlyphRun, TextItem, TextRun } from './display-list.ts';
import { rectangle, setFill } from './paint.ts';
import type { RowFonts } from './row-fonts.ts';

/**
 * Writes text objects (ISO 32000-2 §9.4). Codes are two bytes in literal strings, which are half as long as hexadecimal ones.
 * `originX` and `originY` are the frame's bottom-left corner.
 */
export function emitText(
  writer: ContentWriter,
  item: TextItem,
  originX: number,
  originY: number,
  fonts: RowFonts,
): void {
  writer.ascii('BT\n');
  let color = item.color;
  let font = '';
  let lastX = 0;
  let lastY = 0;
  for (const line of item.lines) {
    // Moves are relative. Differences of quantised positions keep rounding errors from accumulating.
    const x = Math.round((originX + line.x) * 1000);
    const y = Math.round((originY + line.baseline) * 1000);
    let moved = false;
    for (const run of line.runs) {
      if (run.kind === 'base' && run.face.name !== font) {
        font = run.face.name;
        selectFont(writer, font, item.size);
      }
      if (!moved) {
        writer.fixed(x - lastX, 3);
        writer.fixed(y - lastY, 3);
        writer.ascii('Td\n');
        lastX = x;
        lastY = y;
        moved = true;
      }
      color = setFill(writer, colorOf(run, item), color);
      if (run.kind === 'base') showBase(writer, run.face, run.text);
      else font = showGlyphs(writer, run, item.size, font, fonts);
    }
  }
  writer.ascii('ET\n');
  for (const rule of underlines(item)) {
    color = setFill(writer, rule.color, color);
    rectangle(writer, originX + rule.x, originY + rule.y, rule.width, rule.height);
    writer.ascii('f\n');
  }
  setFill(writer, item.color, color);
}

const colorOf = (run: TextRun, { color }: TextItem): Color =>
  (run.kind === 'glyphs' ? run.look?.color : undefined) ?? color;

/** Top edge below the baseline and thickness of the rule, in thousandths of the em: those of Arimo, as other faces have other ones. */
const RULE_TOP = 106;
const RULE_THICKNESS = 73;

interface Rule {
  readonly x: number;
  readonly y: number;
  width: number;
  readonly height: number;
  readonly color: Color;
}

/** The rules below underlined runs. Adjacent runs of one colour share a rule, so that a change of face leaves no gap. */
function underlines(item: TextItem): Rule[] {
  const rules: Rule[] = [];
  const scale = item.size / 1000;
  for (const { x, baseline, runs } of item.lines) {
    let pen = x;
    let open: Rule | undefined;
    for (const run of runs) {
      if (run.kind === 'base') return rules;
      const from = pen;
      for (const { advance } of run.glyphs) pen += advance * scale;
      if (run.look?.underline !== true) open = undefined;
      else if (open !== undefined && open.color === colorOf(run, item)) open.width += pen - from;
      else {
        const y = baseline - (RULE_TOP + RULE_THICKNESS) * scale;
        open = { x: from, y, width: pen - from, height: RULE_THICKNESS * scale, color: colorOf(run, item) };
        rules.push(open);
      }
    }
  }
  return rules;
}

function selectFont(writer: ContentWriter, name: string, size: number): void {
  writer.ascii(`/${name} `);
  writer.num(size);
  writer.ascii('Tf\n');
}

function showBase(writer: ContentWriter, { codes, narrow }: BaseFace, text: string): void {
  writer.reserve(text.length * 4 + 8);
  const { bytes } = writer;
  let at = writer.length;
  bytes[at] = 0x28;
  at += 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = codes[text.charCodeAt(index)] as number;
    if (!narrow) at = putByte(bytes, at, code >> 8);
    at = putByte(bytes, at, code & 0xff);
  }
  bytes[at] = 0x29;
  bytes[at + 1] = 0x54; // Tj
  bytes[at + 2] = 0x6a;
  bytes[at + 3] = 0x0a;
  writer.length = at + 4;
}

/** §7.3.4.2: parentheses and backslashes are escaped, and so are carriage returns, which readers would replace with line feeds. */
function putByte(bytes: Uint8Array, at: number, byte: number): number {
  if (byte === 0x28 || byte === 0x29 || byte === 0x5c) {
    bytes[at] = 0x5c;
    bytes[at + 1] = byte;
    return at + 2;
  }
  if (byte === 0x0d) {
    bytes[at] = 0x5c;
    bytes[at + 1] = 0x72;
    return at + 2;
  }
  bytes[at] = byte;
  return at + 1;
}

/**
 * Shows placed glyphs with TJ. Numbers in thousandths of the em correct the pen where shaping moved a glyph, and /Ts raises
 * a glyph. Returns the font that was selected last.
 */
function showGlyphs(
  writer: ContentWriter,
  { face, glyphs }: GlyphRun,
  size: number,
  selected: string,
  fonts: RowFonts,
): string {
  let font = selected;
  let open: 'none' | 'array' | 'string' = 'none';
  let rise = 0;
  let drift = 0; // how far the pen is right of its intended position, in thousandths of the em
  const close = () => {
    if (open === 'none') return;
    writer.ascii(open === 'string' ? ')]TJ\n' : ']TJ\n');
    open = 'none';
  };
  let replaced = 0; // glyphs still to come whose text is replaced
  for (const glyph of glyphs) {
    const { name, code } = fonts.locate(face, glyph);
    if (glyph.actual !== undefined) {
      close();
      writer.ascii(`/Span<</ActualText<FEFF${utf16Hex(glyph.actual.text)}>>>BDC\n`);
      replaced = glyph.actual.glyphs;
    }
    if (name !== font) {
      close();
      font = name;
      selectFont(writer, font, size);
    }
    if (glyph.dy !== rise) {
      close();
      rise = glyph.dy;
      writer.num((rise * size) / 1000);
      writer.ascii('Ts\n');
    }
    const correction = drift - glyph.dx;
    if (open === 'none') {
      writer.ascii('[');
      open = 'array';
    }
    if (correction !== 0) {
      if (open === 'string') writer.ascii(')');
      writer.num(correction);
      open = 'array';
    }
    if (open === 'array') writer.ascii('(');
    open = 'string';
    writer.reserve(8);
    let at = putByte(writer.bytes, writer.length, code >> 8);
    at = putByte(writer.bytes, at, code & 0xff);
    writer.length = at;
    drift = glyph.dx + face.advance(glyph.glyph) - glyph.advance;
    if (replaced > 0) {
      replaced -= 1;
      if (replaced === 0) {
        close();
        writer.ascii('EMC\n');
      }
    }
  }
  if (replaced > 0) {
    close();
    writer.ascii('EMC\n');
  }
  if (drift !== 0) {
    if (open === 'string') writer.ascii(')');
    else if (open === 'none') writer.ascii('[');
    writer.num(drift);
    open = 'array';
  }
  close();
  if (rise !== 0) writer.ascii('0 Ts\n');
  return font;
}
