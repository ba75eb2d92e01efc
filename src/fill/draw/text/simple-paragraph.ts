import type { BaseFace } from '#fill/fonts/base-face.ts';
import { NOT_IN_BASE } from '#fill/fonts/base-face.ts';
import { markSimpleOpportunities } from './line-opportunities.ts';
import { type BreakTable, CUT_AFTER, type Paragraph, SPACE } from './paragraph.ts';

/**
 * A text whose characters are all in the base: no shaping, no direction, one table lookup per character. Nearly all rows are
 * set this way; the 5 texts of a row take about 10 µs.
 */

/** Width in thousandths of the em, or -1 if the base lacks a character. */
export function simpleWidth(face: BaseFace, text: string): number {
  const { advances } = face;
  const size = advances.length;
  let width = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= size) return -1;
    const advance = advances[unit] as number;
    if (advance === NOT_IN_BASE) return -1;
    width += advance;
  }
  return width;
}

export function simpleParagraph(face: BaseFace, text: string, width: number): Paragraph {
  let table: BreakTable | undefined;
  return {
    width,
    length: text.length,
    rightToLeft: false,
    breaks: () => {
      table ??= simpleBreaks(face, text);
      return table;
    },
    line: (from, to) => {
      let end = to;
      while (end > from && text.charCodeAt(end - 1) === 0x20) end -= 1;
      const whole = from === 0 && end === text.length;
      const part = whole ? text : text.slice(from, end);
      return { runs: [{ kind: 'base', face, text: part }], width: whole ? width : simpleWidth(face, part) };
    },
  };
}

function simpleBreaks(face: BaseFace, text: string): BreakTable {
  const advances = new Uint32Array(text.length);
  const marks = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    advances[index] = face.advances[unit] as number;
    marks[index] = unit === 0x20 ? SPACE | CUT_AFTER : CUT_AFTER;
  }
  markSimpleOpportunities(text, marks);
  return { advances, marks, hyphen: 0 };
}
