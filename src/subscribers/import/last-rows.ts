import { hash } from 'node:crypto';

/**
 * Finds rows whose email occurs again later in the file. Memory depends only on the number of rows (about 34 bytes
 * each, at most 34 MB): an open-addressing table of 96 bits of hash and a row number. A false match would lose a row;
 * at a million rows its probability is 6 in 10^18.
 */
export class LastRows {
  readonly #table: Uint32Array;
  readonly #mask: number;
  /** One bit per row, lowest bit first. */
  readonly superseded: Uint8Array;
  count = 0;

  constructor(rows: number) {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(2, rows * 1.5)));
    this.#table = new Uint32Array(capacity * 4);
    this.#mask = capacity - 1;
    this.superseded = new Uint8Array(Math.ceil(rows / 8));
  }

  note(key: string, row: number): void {
    const table = this.#table;
    const digest = hash('sha1', key, 'binary');
    const a = word(digest, 0);
    const b = word(digest, 4);
    const c = word(digest, 8);
    for (let slot = word(digest, 12) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * 4;
      const held = table[at + 3] ?? 0;
      if (held !== 0 && (table[at] !== a || table[at + 1] !== b || table[at + 2] !== c)) continue;
      if (held !== 0) this.#supersede(held - 1);
      table[at] = a;
      table[at + 1] = b;
      table[at + 2] = c;
      table[at + 3] = row + 1;
      return;
    }
  }

  #supersede(row: number): void {
    this.superseded[row >> 3] = (this.superseded[row >> 3] ?? 0) | (1 << (row & 7));
    this.count += 1;
  }
}

export function isSuperseded(bits: Uint8Array, row: number): boolean {
  return ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0;
}

function word(text: string, at: number): number {
  return (
    (text.charCodeAt(at) |
      (text.charCodeAt(at + 1) << 8) |
      (text.charCodeAt(at + 2) << 16) |
      (text.charCodeAt(at + 3) << 24)) >>>
    0
  );
}
