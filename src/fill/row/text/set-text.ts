import type { BaseFace } from '../../fonts/base-face.ts';
import type { TextLine, TextRun } from '../display-list.ts';
import { type FitRules, fitText } from './fit-text.ts';
import type { Paragraph } from './paragraph.ts';
import { type FaceChain, type ShapingTools, shapedParagraph } from './shaped-paragraph.ts';
import { simpleParagraph, simpleWidth } from './simple-paragraph.ts';

/** Sets a text in a box: paragraphs, size and line breaks, then each line's place. */
export interface TextRules extends FitRules {
  readonly align: 'left' | 'center' | 'right';
  readonly valign: 'top' | 'middle' | 'bottom';
}

export interface SetText {
  readonly size: number;
  /** From the box's bottom-left corner, y up. */
  readonly lines: readonly TextLine[];
  /** Part of the text lies outside the box. */
  readonly overflows: boolean;
  readonly glyphCount: number;
}

const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

export function setText(text: string, rules: TextRules, chain: FaceChain, tools: ShapingTools): SetText {
  const paragraphs = paragraphsOf(text, chain, tools);
  const { size, lines, overflows } = fitText(paragraphs, rules);
  let glyphCount = 0;
  for (const paragraph of paragraphs) glyphCount += paragraph.glyphCount;
  const placed = placeLines(
    lines.map(({ paragraph, from, to }) => paragraph.line(from, to)),
    size,
    overflows ? { ...rules, valign: 'top' } : rules,
    chain.base,
  );
  return {
    size,
    lines: overflows ? visibleLines(placed, size, rules, chain.base) : placed,
    overflows,
    glyphCount,
  };
}

function paragraphsOf(text: string, chain: FaceChain, tools: ShapingTools): Paragraph[] {
  const width = simpleWidth(chain.base, text);
  if (width >= 0) return [simpleParagraph(chain.base, text, width)];
  return text
    .replaceAll('\t', ' ')
    .split(LINE_ENDS)
    .map((part) => {
      const partWidth = simpleWidth(chain.base, part);
      return partWidth >= 0
        ? simpleParagraph(chain.base, part, partWidth)
        : shapedParagraph(part, chain, tools);
    });
}

/**
 * The block of lines reaches from the first line's ascent to the last one's descent and is aligned as a whole, so
 * a reader's bounding box of the text touches the box's edge or centre.
 */
function placeLines(
  lines: readonly { readonly runs: readonly TextRun[]; readonly width: number }[],
  size: number,
  { width, height, lineHeight, align, valign }: TextRules,
  face: BaseFace,
): TextLine[] {
  const ascent = (face.ascent * size) / 1000;
  const descent = (face.descent * size) / 1000;
  const pitch = lineHeight * size;
  const block = ascent + descent + (lines.length - 1) * pitch;
  const slack = height - block;
  const top = valign === 'top' ? height : valign === 'middle' ? height - slack / 2 : block;
  return lines.map((line, index) => {
    const lineWidth = (line.width * size) / 1000;
    const free = width - lineWidth;
    const x = align === 'left' ? 0 : align === 'center' ? free / 2 : free;
    return { x, baseline: top - ascent - index * pitch, width: lineWidth, runs: line.runs };
  });
}

/** Text that lies wholly outside the box is not written at all: it could still be searched and copied. */
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
