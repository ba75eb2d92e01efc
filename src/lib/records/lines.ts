import type { RecordFound, RecordSplitter } from './record-splitter.ts';

const NEWLINE = 0x0a;

/** Finds the records of NDJSON (https://github.com/ndjson/ndjson-spec): one per line. Blank lines are not records. */
export class LineSplitter implements RecordSplitter {
  readonly #found: RecordFound;
  #offset = 0;
  #lineStart = 0;
  #line = 1;
  /** Whether the current line contains anything except white space. */
  #filled = false;

  constructor(found: RecordFound) {
    this.#found = found;
  }

  get openBytes(): number {
    return this.#offset - this.#lineStart;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, from);
      const end = newline === -1 ? chunk.length : newline;
      this.#filled ||= hasContent(chunk, from, end);
      if (newline === -1) break;
      this.#endLine(this.#offset + newline);
      from = newline + 1;
    }
    this.#offset += chunk.length;
  }

  end(): void {
    this.#endLine(this.#offset);
  }

  #endLine(end: number): void {
    if (this.#filled) this.#found(this.#lineStart, end, this.#line);
    this.#filled = false;
    this.#line += 1;
    this.#lineStart = end + 1;
  }
}

/** Yields the bytes of each line. An empty last line is not a line. */
export function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, from);
    const end = newline === -1 ? bytes.length : newline;
    yield bytes.subarray(from, end);
    from = end + 1;
  }
}

function hasContent(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return true;
  }
  return false;
}
