import type { BaseFace } from '#fill/fonts/base-face.ts';
import type { TextLine, TextRun } from '../display-list.ts';
import { type FitRules, fitText, lineSize, TOLERANCE } from './fit-text.ts';
import { withInkInside } from './ink-room.ts';
import type { Paragraph } from './paragraph.ts';
import { type FaceChain, type ShapingTools, shapedParagraph } from './shaped-paragraph.ts';
import { simpleParagraph, simpleWidth } from './simple-paragraph.ts';

/** Sets a text in a box: paragraphs, size and line breaks, then the position of each line. */
export interface TextRules extends FitRules {
  readonly align: 'left' | 'center' | 'right';
  readonly valign: 'top' | 'middle' | 'bottom';
  /** Number of equal cells of a comb; undefined for running text. */
  readonly cells?: number | undefined;
}

export interface SetText {
  readonly size: number;
  /** From the box's bottom-left corner, y up. */
  readonly lines: readonly TextLine[];
  /** Part of the text is outside the box. */
  readonly overflows: boolean;
  /** How the text exceeds its box, if there is more to say than that. */
  readonly overflow?: string;
}

export const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * A fast path for the common case: one line of base characters that fits its box, shrunk if necessary. The result equals that
 * of `setText` (a test compares them). Returns undefined in all other cases.
 */
export function setSimpleLine(text: string, rules: TextRules, face: BaseFace): SetText | undefined {
  const width = simpleWidth(face, text);
  if (width < 0) return undefined;
  const size = lineSize(width, rules);
  if (size === undefined) return undefined;
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end -= 1;
  if (end !== text.length) return undefined; // trailing spaces do not count for alignment
  const lineWidth = (width * size) / 1000;
  const free = rules.width - lineWidth;
  const x = rules.align === 'left' ? 0 : rules.align === 'center' ? free / 2 : free;
  const baseline = blockTop(1, size, rules, face) - (face.ascent * size) / 1000;
  return {
    size,
    lines: [{ x, baseline, width: lineWidth, runs: [{ kind: 'base', face, text }] }],
    overflows: false,
  };
}

/** Whether a face can set the whole text, except for line ends and tabs, without another face and without shaping. */
export function setsWhole(face: BaseFace, text: string): boolean {
  if (simpleWidth(face, text) >= 0) return true;
  const lines = text.replaceAll('\t', ' ').split(LINE_ENDS);
  return lines.every((line) => simpleWidth(face, line) >= 0);
}

export function setText(text: string, rules: TextRules, chain: FaceChain, tools: ShapingTools): SetText {
  return setParagraphs(paragraphsOf(text, chain, tools), rules, chain.base);
}

/** Sets paragraphs by the metrics of the overlay's own face. */
export function setParagraphs(paragraphs: readonly Paragraph[], rules: TextRules, base: BaseFace): SetText {
  const { size, lines, overflows, tooHigh } = fitText(paragraphs, rules);
  const placed = placeLines(
    lines.map(({ paragraph, from, to }) => ({
      ...paragraph.line(from, to),
      rightToLeft: paragraph.rightToLeft,
    })),
    size,
    tooHigh ? { ...rules, valign: 'top' } : rules,
    base,
  );
  return {
    size,
    lines: overflows
      ? visibleLines(placed, size, rules, base)
      : withInkInside(placed, size, rules.height, base),
    overflows,
  };
}

function paragraphsOf(text: string, chain: FaceChain, tools: ShapingTools): Paragraph[] {
  const width = simpleWidth(chain.base, text);
  if (width >= 0) return [simpleParagraph(chain.base, text, width)];
  return text
    .replaceAll('\t', ' ')
    .split(LINE_ENDS)
    .map((part) => paragraphOf(part, chain, tools));
}

/** A text without line ends and tabs. */
export function paragraphOf(text: string, chain: FaceChain, tools: ShapingTools): Paragraph {
  const width = simpleWidth(chain.base, text);
  return width >= 0 ? simpleParagraph(chain.base, text, width) : shapedParagraph(text, chain, tools);
}

/**
 * The block of lines extends from the first line's ascent to the last one's descent and is aligned as a whole, so that a
 * reader's bounding box of the text touches the box's edge or centre. A line wider than the box starts at the edge where
 * reading starts, even if it has another alignment: its start is visible and its end is cut.
 */
function placeLines(
  lines: readonly {
    readonly runs: readonly TextRun[];
    readonly width: number;
    readonly rightToLeft: boolean;
  }[],
  size: number,
  rules: TextRules,
  face: BaseFace,
): TextLine[] {
  const { width, lineHeight, align } = rules;
  const ascent = (face.ascent * size) / 1000;
  const pitch = lineHeight * size;
  const top = blockTop(lines.length, size, rules, face);
  return lines.map((line, index) => {
    const lineWidth = (line.width * size) / 1000;
    const free = width - lineWidth;
    const side = free >= -TOLERANCE ? align : line.rightToLeft ? 'right' : 'left';
    const x = side === 'left' ? 0 : side === 'center' ? free / 2 : free;
    return { x, baseline: top - ascent - index * pitch, width: lineWidth, runs: line.runs };
  });
}

/** Height of the block's top edge above the box's bottom. */
export function blockTop(lineCount: number, size: number, rules: TextRules, face: BaseFace): number {
  const block = ((face.ascent + face.descent) * size) / 1000 + (lineCount - 1) * rules.lineHeight * size;
  if (rules.valign === 'top') return rules.height;
  return rules.valign === 'middle' ? rules.height - (rules.height - block) / 2 : block;
}

/** Text that is completely outside the box is not written: readers could still search and copy it. */
function visibleLines(
  lines: readonly TextLine[],
  size: number,
  rules: TextRules,
  face: BaseFace,
): TextLine[] {
  const visible: TextLine[] = [];
  for (const line of lines) {
    const above = line.baseline - (face.descent * size) / 1000 >= rules.height;
    const below = line.baseline + (face.ascent * size) / 1000 <= 0;
    if (above || below) continue;
    visible.push(line.x + line.width <= rules.width && line.x >= 0 ? line : cutLine(line, size, rules.width));
  }
  return visible;
}

function cutLine(line: TextLine, size: number, boxWidth: number): TextLine {
  const scale = size / 1000;
  let pen = line.x;
  let start: number | undefined;
  const runs: TextRun[] = [];
  const keep = (advance: number): boolean => {
    const from = pen;
    pen += advance * scale;
    const inside = pen > 0 && from < boxWidth;
    if (inside) start ??= from;
    return inside;
  };
  for (const run of line.runs) {
    if (run.kind === 'base') {
      let text = '';
      for (const character of run.text) {
        if (keep(run.face.advances[character.charCodeAt(0)] ?? 0)) text += character;
      }
      if (text !== '') runs.push({ ...run, text });
    } else {
      const glyphs = run.glyphs.filter((glyph) => keep(glyph.advance));
      if (glyphs.length > 0) runs.push({ ...run, glyphs });
    }
  }
  const x = start ?? line.x;
  return { x, baseline: line.baseline, width: Math.min(pen, boxWidth) - x, runs };
}
