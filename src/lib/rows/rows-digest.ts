import type { Cell, RowCells } from './row-cells.ts';

/** What `node:crypto` hashes and the pure ones have in common. */
export interface RunningHash {
  update(bytes: Uint8Array): unknown;
}

/**
 * Feeds rows to a hash in one normal form, so that the same cells give the same digest from CSV and JSON, whatever
 * the quoting, white space, key order, line ends or trailing blanks. Blank cells are absent from a row, keys are sorted,
 * strings are JSON strings: no two different rows share an encoding.
 */
export class RowsDigest {
  readonly #hash: RunningHash;
  readonly #encoder = new TextEncoder();

  constructor(hash: RunningHash) {
    this.#hash = hash;
  }

  update(rows: readonly RowCells[]): void {
    let text = '';
    for (const row of rows) text += `${normalisedRow(row)}\n`;
    this.#hash.update(this.#encoder.encode(text));
  }
}

export function normalisedRow(row: RowCells): string {
  const parts: string[] = [];
  for (const key of [...row.keys()].sort()) {
    const cell = row.get(key);
    if (cell === undefined) continue;
    parts.push(`${JSON.stringify(key)}:${valueText(cell)}`);
  }
  return `{${parts.join(',')}}`;
}

function valueText(cell: Cell): string {
  if (cell === null) return 'null';
  return typeof cell === 'string' ? JSON.stringify(cell) : cell.json;
}
