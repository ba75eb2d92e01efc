import { BREAK_AFTER, CUT_AFTER, type Paragraph, SOFT_HYPHEN, SPACE } from './paragraph.ts';

/** Lines as ranges of a paragraph. */
interface BrokenLine {
  readonly from: number;
  readonly to: number;
}

export interface BrokenParagraph {
  readonly lines: readonly BrokenLine[];
  /** A word had to be cut, because it is longer than a line. */
  readonly cut: boolean;
}

/** Breaks lines greedily, as form fields do: as many words on each line as fit. `limit` is in thousandths of the em. */
export function breakLines(paragraph: Paragraph, limit: number): BrokenParagraph {
  if (paragraph.width <= limit) return { lines: [{ from: 0, to: paragraph.length }], cut: false };
  const { advances, marks, hyphen } = paragraph.breaks();
  const lines: BrokenLine[] = [];
  let cut = false;
  let from = 0;
  let width = 0; // width of the line so far, including spaces
  let wordEnd = -1; // the last break between words
  let clusterEnd = -1; // the last break inside a word
  let index = 0;
  while (index < advances.length) {
    const mark = marks[index] as number;
    const advance = advances[index] as number;
    if ((mark & SPACE) === 0 && width + advance > limit && index > from) {
      let end = wordEnd;
      if (end < 0 && clusterEnd > from) {
        end = clusterEnd;
        cut = true;
      }
      if (end >= 0) {
        lines.push({ from, to: end });
        from = end;
        index = end;
        width = 0;
        wordEnd = -1;
        clusterEnd = -1;
        continue;
      }
    }
    width += advance;
    index += 1;
    const fits = (mark & SOFT_HYPHEN) === 0 || width + hyphen <= limit;
    if ((mark & BREAK_AFTER) !== 0 && fits) wordEnd = index;
    if ((mark & CUT_AFTER) !== 0) clusterEnd = index;
  }
  if (width > limit && lines.length === 0 && wordEnd < 0) cut = true;
  lines.push({ from, to: advances.length });
  return { lines, cut };
}
