import type { CompactRecords } from '../archive-index.ts';
import type { Cell, RowCells } from '../values/row-cells.ts';
import type { ZipRow } from '../zip/zip-plan.ts';

/**
 * Rows and finished slices in the form in which threads pass them. A thread's message is a copy, and copying a map or an
 * object for every row costs several times what the same texts and numbers cost in one list.
 */
export interface WireTask {
  readonly firstRow: number;
  readonly runs: readonly WireRows[];
}

/** Rows that follow each other and have the same keys. */
export interface WireRows {
  readonly keys: readonly string[];
  readonly rows: number;
  readonly cells: readonly Cell[];
}

/** A filled slice of rows. */
export interface RunSlice extends CompactRecords {
  readonly firstRow: number;
  readonly tails: Uint8Array;
}

export interface WireSlice extends Omit<RunSlice, 'zipRows'> {
  readonly names: readonly string[];
  /** Two for each name: length of the tail, checksum. */
  readonly numbers: Uint32Array;
}

/** A piece of the slice under way, or its end. */
export type WireAnswer = WireSlice | 'filled';

/** Says that a piece with so many bytes of tails has left the memory of the run. */
export interface WireTaken {
  readonly taken: number;
}

/** Small pieces are not worth a message: a thread has at most four slices. */
export const isCounted = (tailBytes: number): boolean => tailBytes > 1_000_000;

export function packTask(firstRow: number, rows: readonly RowCells[]): WireTask {
  const runs: { keys: readonly string[]; rows: number; cells: Cell[] }[] = [];
  let run = { keys: [] as readonly string[], rows: 0, cells: [] as Cell[] };
  for (const row of rows) {
    if (run.rows === 0 || !hasKeys(row, run.keys)) {
      run = { keys: [...row.keys()], rows: 0, cells: [] };
      runs.push(run);
    }
    run.rows += 1;
    for (const cell of row.values()) run.cells.push(cell);
  }
  return { firstRow, runs };
}

export function* rowsOf({ runs }: WireTask): Generator<RowCells> {
  for (const { keys, rows, cells } of runs) {
    for (let row = 0, at = 0; row < rows; row += 1) {
      const map = new Map<string, Cell>();
      for (const key of keys) {
        map.set(key, cells[at] as Cell);
        at += 1;
      }
      yield map;
    }
  }
}

export function packSlice({ zipRows, ...slice }: RunSlice): WireSlice {
  const names: string[] = [];
  const numbers = new Uint32Array(zipRows.length * 2);
  for (const { name, tailLength, crc32 } of zipRows) {
    numbers[names.length * 2] = tailLength;
    numbers[names.length * 2 + 1] = crc32;
    names.push(name);
  }
  return { ...slice, names, numbers };
}

/** What is moved to the other thread instead of copied. */
export function movedParts({ tails, lines, numbers }: WireSlice): ArrayBuffer[] {
  return [tails.buffer, lines.buffer, numbers.buffer] as ArrayBuffer[];
}

export function sliceOf({ names, numbers, ...slice }: WireSlice): RunSlice {
  const zipRows: ZipRow[] = [];
  for (const name of names) {
    const at = zipRows.length * 2;
    zipRows.push({ name, tailLength: numbers[at] as number, crc32: numbers[at + 1] as number });
  }
  return { ...slice, zipRows };
}

/** In the same order: the order of a row's keys is its own. */
function hasKeys(row: RowCells, keys: readonly string[]): boolean {
  if (row.size !== keys.length) return false;
  let index = 0;
  for (const key of row.keys()) {
    if (key !== keys[index]) return false;
    index += 1;
  }
  return true;
}
