import type { RowCells } from '../values/row-cells.ts';

/**
 * The name of a row's PDF inside the ZIP: `row_<number>`, then the chosen columns' values, joined by `_`. The row
 * number leads, so two rows never share a name, and no name is a reserved device name of Windows (CON, NUL, …).
 * Letters of every script stay; whatever could act as a path, upset a file system or reverse the reading order of the name
 * becomes `-`.
 */
const SEGMENT_CHARS = 60;
const NAME_BYTES = 180;
const EXTENSION = '.pdf';

/** C0 and C1 controls, the characters Windows forbids, line and paragraph separators, bidi controls, BOM. */
const UNSAFE =
  /[\p{Cc}<>:"/\\|?*\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu;

/** `labels` lets a caller name a column by its label in the layout; a key of the row itself comes first. */
export function rowFileName(
  rowNumber: number,
  cells: RowCells,
  filenameColumns: readonly string[],
  labels: ReadonlyMap<string, string> = new Map(),
): string {
  let stem = `row_${rowNumber}`;
  for (const column of filenameColumns) {
    const cell = cells.get(column) ?? cells.get(labels.get(column) ?? '');
    if (typeof cell !== 'string') continue;
    const segment = fileNameSegment(cell);
    if (segment !== '') stem += `_${segment}`;
  }
  return cutToBytes(stem, NAME_BYTES - EXTENSION.length) + EXTENSION;
}

/** Blank values give '' and are left out of the name. Characters are code points. */
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
