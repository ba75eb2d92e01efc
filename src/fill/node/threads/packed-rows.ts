import type { CompactRecords } from '#fill/archive-index.ts';
import type { Cell, RowCells } from '#fill/values/row-cells.ts';
import type { ZipRow } from '#fill/zip/zip-plan.ts';
import { GroupCells } from '#lib/rows/group-cells.ts';

/**
 * Rows and filled pieces as few lists. A message between threads is a copy, and copying a map or an object for every row
 * costs several times as much as the same texts and numbers in one list.
 */
export interface PackedRows {
  readonly keys: readonly string[];
  /** Consecutive rows that have these keys. */
  readonly rows: number;
  readonly cells: readonly Cell[];
  /** Numbers of the rows, if they are the rows of one group. */
  readonly group?: readonly number[];
  /** The rows of that group. */
  readonly members?: readonly PackedRows[];
}

/** Consecutive filled rows and their part of the archive. */
export interface ArchivePiece extends CompactRecords {
  readonly firstRow: number;
  readonly tails: Uint8Array;
}

export interface PackedPiece extends Omit<ArchivePiece, 'zipRows'> {
  readonly names: readonly string[];
  /** Two for each name: length of the tail, checksum. */
  readonly numbers: Uint32Array;
}

export function packRows(rows: readonly RowCells[]): PackedRows[] {
  const runs: PackedRows[] = [];
  let run = { keys: [] as readonly string[], rows: 0, cells: [] as Cell[] };
  for (const row of rows) {
    if (row instanceof GroupCells) {
      const members = packRows(row.rows.map(({ cells }) => cells));
      runs.push({ keys: [], rows: 0, cells: [], group: row.rows.map(({ number }) => number), members });
      run = { keys: [], rows: 0, cells: [] };
      continue;
    }
    if (run.rows === 0 || !hasKeys(row, run.keys)) {
      run = { keys: [...row.keys()], rows: 0, cells: [] };
      runs.push(run);
    }
    run.rows += 1;
    for (const cell of row.values()) run.cells.push(cell);
  }
  return runs;
}

export function* unpackRows(runs: readonly PackedRows[]): Generator<RowCells> {
  for (const { keys, rows, cells, group, members } of runs) {
    if (group !== undefined && members !== undefined) {
      yield new GroupCells([...unpackRows(members)].map((own, n) => ({ number: group[n] ?? 0, cells: own })));
      continue;
    }
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

export function packPiece({ zipRows, ...piece }: ArchivePiece): PackedPiece {
  const names: string[] = [];
  const numbers = new Uint32Array(zipRows.length * 2);
  for (const { name, tailLength, crc32 } of zipRows) {
    numbers[names.length * 2] = tailLength;
    numbers[names.length * 2 + 1] = crc32;
    names.push(name);
  }
  return { ...piece, names, numbers };
}

/** The parts of a piece that are moved to the other thread instead of copied. */
export function movedParts({ tails, lines, numbers }: PackedPiece): ArrayBuffer[] {
  return [tails.buffer, lines.buffer, numbers.buffer] as ArrayBuffer[];
}

export function unpackPiece({ names, numbers, ...piece }: PackedPiece): ArchivePiece {
  const zipRows: ZipRow[] = [];
  for (const name of names) {
    const at = zipRows.length * 2;
    zipRows.push({ name, tailLength: numbers[at] as number, crc32: numbers[at + 1] as number });
  }
  return { ...piece, zipRows };
}

/** Compares the keys in order: the order of a row's keys is part of the row. */
function hasKeys(row: RowCells, keys: readonly string[]): boolean {
  if (row.size !== keys.length) return false;
  let index = 0;
  for (const key of row.keys()) {
    if (key !== keys[index]) return false;
    index += 1;
  }
  return true;
}
