import { columnOf } from './cell-address.ts';

interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

const AFTER_ROWS = 'sheetData>';
const MERGED = /<(?:\w+:)?mergeCell\s[^>]*?ref="\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})"/g;

/**
 * The merged cells of a sheet. A spreadsheet shows only the top left cell of a range. The ranges follow the rows in the file, so they are
 * read first. Rows must be queried in ascending order.
 */
export class MergedRanges {
  readonly #waiting: Range[];
  #open: Range[] = [];

  constructor(sheet: Uint8Array) {
    this.#waiting = readRanges(sheet).sort((a, b) => b.top - a.top);
  }

  /** Returns whether another cell covers this one. Both indexes start at 0. */
  covers(row: number, column: number): boolean {
    if (this.#open.length === 0 && this.#waiting.length === 0) return false;
    for (
      let next = this.#waiting.at(-1);
      next !== undefined && next.top <= row;
      next = this.#waiting.at(-1)
    ) {
      this.#open.push(next);
      this.#waiting.pop();
    }
    if (this.#open.some(({ bottom }) => bottom < row))
      this.#open = this.#open.filter(({ bottom }) => bottom >= row);
    return this.#open.some(
      ({ top, left, right }) => column >= left && column <= right && (column > left || row > top),
    );
  }
}

function readRanges(sheet: Uint8Array): Range[] {
  const tail = new TextDecoder().decode(sheet.subarray(lastIndexOf(sheet, AFTER_ROWS)));
  return [...tail.matchAll(MERGED)].map(([, left = '', top = '', right = '', bottom = '']) => ({
    top: Number(top) - 1,
    bottom: Number(bottom) - 1,
    left: columnOf(left),
    right: columnOf(right),
  }));
}

/** Returns the last index of an ASCII text, or the end if it does not occur. */
function lastIndexOf(bytes: Uint8Array, wanted: string): number {
  const codes = [...wanted].map((char) => char.charCodeAt(0));
  const [first = 0] = codes;
  for (let at = bytes.lastIndexOf(first); at > 0; at = bytes.lastIndexOf(first, at - 1)) {
    if (codes.every((code, index) => bytes[at + index] === code)) return at;
  }
  return bytes.length;
}
