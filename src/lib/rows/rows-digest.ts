import type { Cell, RowCells } from './row-cells.ts';

/** The common part of `node:crypto` hashes and portable ones. */
export interface RunningHash {
  update(bytes: Uint8Array): unknown;
}

/**
 * Hashes rows in their normal form, so that equal cells have equal digests, from CSV or JSON, with any quoting, white space, key order, line
 * ends or trailing blanks. Blank cells are absent, keys are sorted and strings are JSON strings, so different rows have different encodings.
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
