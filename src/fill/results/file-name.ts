import { GroupCells } from '#lib/rows/group-cells.ts';
import type { RowCells } from '../values/row-cells.ts';

/**
 * The name of a row's PDF in the ZIP: `row_<number>`, or `group_<number>` for a group of rows, then the values of the chosen columns, joined by `_`. The row number
 * comes first, so two rows never have the same name, and no name is a reserved device name of Windows (CON, NUL, …). Letters
 * of every script are kept. Characters that could act as a path, that file systems reject, or that reverse the reading order
 * become `-`.
 */
const SEGMENT_CHARS = 60;
const NAME_BYTES = 180;
const EXTENSION = '.pdf';

/** C0 and C1 controls, the characters Windows forbids, line and paragraph separators, bidi controls, BOM. */
const UNSAFE =
  /[\p{Cc}<>:"/\\|?*\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu;

/** A caller may name a column by its key, or by its label in the layout (`labels`). Keys take precedence. */
export function rowFileName(
  rowNumber: number,
  cells: RowCells,
  filenameColumns: readonly string[],
  labels: ReadonlyMap<string, string> = new Map(),
): string {
  let stem = `${cells instanceof GroupCells ? 'group' : 'row'}_${rowNumber}`;
  for (const column of filenameColumns) {
    const cell = cells.get(column) ?? cells.get(labels.get(column) ?? '');
    if (typeof cell !== 'string') continue;
    const segment = fileNameSegment(cell);
    if (segment !== '') stem += `_${segment}`;
  }
  return cutToBytes(stem, NAME_BYTES - EXTENSION.length) + EXTENSION;
}

/** Returns '' for a blank value, which the name then leaves out. Characters are code points. */
export function fileNameSegment(value: string): string {
  const safe = value.normalize('NFC').trim().toWellFormed().replaceAll(UNSAFE, '-');
  return safe.length <= SEGMENT_CHARS ? safe : Array.from(safe).slice(0, SEGMENT_CHARS).join('');
}

/** The longest beginning of `text` that has at most `max` bytes of UTF-8 and ends between two characters. */
function cutToBytes(text: string, max: number): string {
  let bytes = 0;
  let end = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > max) return text.slice(0, end);
    end += char.length;
  }
  return text;
}
