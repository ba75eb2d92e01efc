import type { Rect } from '../geometry/rect.ts';
import type { MarkGlyph } from '../page-content/read-glyphs.ts';

/** Printed text without gaps wider than a space, on one baseline. */
export interface TextRun extends Rect {
  readonly text: string;
  readonly size: number;
  readonly baseline: number;
}

/** A row of underscores or dots. */
export interface TypedLine {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

export interface PageText {
  readonly runs: readonly TextRun[];
  readonly typedLines: readonly TypedLine[];
  /** Characters that draw an empty box or circle, such as ☐. */
  readonly boxGlyphs: readonly Rect[];
}

const UNDERSCORES = /^[_\u2017\uff3f]+$/u;
const DOTS = /^[.\u2026\u00b7\u2024\u2025]+$/u;
/** Empty boxes and circles of Unicode, and of the Wingdings family, which pdf.js maps to U+F0xx: o q r p s ¡ ¨. */
const BOXES =
  /^[\u2610\u25a1\u25a2\u25fb\u25fd\u2b1c\u2751\u2752\u274f\u2750\u25cb\u25ef\u{1f78e}\u{1f78f}\uf06f\uf071\uf072\uf070\uf0a1\uf0a8]$/u;
const ASCENT = 0.75;
const DESCENT = 0.22;
const WORD_GAP = 0.75; // of the font size: wider gaps separate two labels
const LEAST_UNDERSCORES = 2;
const LEAST_DOTS = 6;
/** Above and below the baseline and around the character: the line it stands in, because its ink is not in the PDF's text. */
const BOX_ASCENT = 0.95;
const BOX_DESCENT = 0.2;
const BOX_SIDE = 0.1;

/** Sorts a page's characters into labels, lines to write on and boxes to tick. */
export function readText(glyphs: readonly MarkGlyph[]): PageText {
  const runs: TextRun[] = [];
  const typedLines: TypedLine[] = [];
  const boxGlyphs: Rect[] = [];
  for (const row of rowsOf(glyphs)) {
    let pieces: MarkGlyph[] = [];
    let kind: PieceKind = 'text';
    const flush = () => {
      const [first, last] = [pieces[0], pieces.at(-1)];
      if (first === undefined || last === undefined) return;
      const span = { from: first.x, to: last.x + last.width, size: first.size };
      const count = pieces.reduce((sum, { text }) => sum + text.length, 0);
      if (kind === 'underscore' && count >= LEAST_UNDERSCORES)
        typedLines.push({ ...span, at: first.baseline + 0.12 * first.size });
      else if (kind === 'dot' && count >= LEAST_DOTS) typedLines.push({ ...span, at: first.baseline });
      else if (kind === 'box') for (const box of pieces) boxGlyphs.push(boxOf(box));
      else runs.push(runOf(pieces));
      pieces = [];
    };
    for (const glyph of row) {
      const next = kindOf(glyph.text);
      const last = pieces.at(-1);
      const gap = last === undefined ? 0 : glyph.x - last.x - last.width;
      const most = next === 'dot' ? 1.2 : next === 'underscore' ? 0.3 : WORD_GAP;
      const isDotOfText = next === 'dot' && kind === 'text' && gap < 0.2 * glyph.size;
      if (last !== undefined && ((next !== kind && !isDotOfText) || gap > most * glyph.size)) flush();
      if (pieces.length === 0) kind = next;
      pieces.push(glyph);
    }
    flush();
  }
  return { runs: withoutLeaders(runs), typedLines, boxGlyphs };
}

type PieceKind = 'text' | 'underscore' | 'dot' | 'box';

function kindOf(text: string): PieceKind {
  if (UNDERSCORES.test(text)) return 'underscore';
  if (DOTS.test(text)) return 'dot';
  return BOXES.test(text) ? 'box' : 'text';
}

/** Characters by baseline, each row from left to right. */
function rowsOf(glyphs: readonly MarkGlyph[]): MarkGlyph[][] {
  const rows = new Map<number, MarkGlyph[]>();
  const sorted = [...glyphs].sort((a, b) => a.baseline - b.baseline || a.x - b.x);
  let base = Number.NEGATIVE_INFINITY;
  for (const glyph of sorted) {
    if (glyph.baseline - base > 1) base = glyph.baseline;
    const row = rows.get(base);
    if (row === undefined) rows.set(base, [glyph]);
    else row.push(glyph);
  }
  return [...rows.values()].map((row) => row.sort((a, b) => a.x - b.x));
}

function runOf(pieces: readonly MarkGlyph[]): TextRun {
  const [first, last] = [pieces[0] as MarkGlyph, pieces.at(-1) as MarkGlyph];
  const size = Math.max(...pieces.map((piece) => piece.size));
  let text = '';
  let end = first.x;
  for (const piece of pieces) {
    if (text !== '' && piece.x - end > 0.12 * piece.size) text += ' ';
    text += piece.text;
    end = piece.x + piece.width;
  }
  return {
    text,
    size,
    baseline: first.baseline,
    x: first.x,
    y: first.baseline - ASCENT * size,
    width: last.x + last.width - first.x,
    height: (ASCENT + DESCENT) * size,
  };
}

function boxOf({ x, baseline, width, size }: MarkGlyph): Rect {
  return {
    x: x - BOX_SIDE * size,
    y: baseline - BOX_ASCENT * size,
    width: width + 2 * BOX_SIDE * size,
    height: (BOX_ASCENT + BOX_DESCENT) * size,
  };
}

const withoutLeaders = (runs: readonly TextRun[]) => runs.filter(({ text }) => !/^[._\s]+$/u.test(text));
