import type { BaseFace } from '../../fonts/base-face.ts';
import { NOT_IN_BASE } from '../../fonts/base-face.ts';
import { BREAK_AFTER, type BreakTable, CUT_AFTER, type Paragraph, SPACE } from './paragraph.ts';

/**
 * Text whose every character the base carries: no shaping, no direction, one table read per character. This is
 * how nearly all rows are set; 5 texts of a row take about 10 µs.
 */

/** Width in thousandths of the em, or -1 when the text needs more than the base has. */
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
  return {
    width,
    length: text.length,
    glyphCount: text.length,
    breaks: () => simpleBreaks(face, text),
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
    marks[index] = marksOf(unit, text.charCodeAt(index + 1));
  }
  return { advances, marks };
}

/** Spaces and hyphens end words; a hyphen before a digit (a minus, a range) does not. */
function marksOf(unit: number, next: number): number {
  if (unit === 0x20) return SPACE | BREAK_AFTER | CUT_AFTER;
  const hyphen = unit === 0x2d || unit === 0x2010 || unit === 0x2013 || unit === 0x2014;
  const beforeDigit = next >= 0x30 && next <= 0x39;
  return hyphen && !beforeDigit ? BREAK_AFTER | CUT_AFTER : CUT_AFTER;
}
