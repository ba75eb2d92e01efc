import { type PayloadSlice, type PayloadSplitter, SliceCutter, type SliceLimits } from './payload-slice.ts';

const NEWLINE = 0x0a;

/** NDJSON (https://github.com/ndjson/ndjson-spec): one item a line; blank lines do not count. */
export class LineSplitter implements PayloadSplitter {
  readonly #cutter: SliceCutter;
  #offset = 0;
  #lineStart = 0;
  #line = 1;
  /** Whether the current line has shown anything but white space. */
  #filled = false;

  constructor(limits: SliceLimits) {
    this.#cutter = new SliceCutter(limits);
  }

  push(chunk: Buffer): PayloadSlice[] {
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
    return this.#cutter.take();
  }

  end(): PayloadSlice[] {
    this.#endLine(this.#offset);
    this.#cutter.cut();
    return this.#cutter.take();
  }

  #endLine(end: number): void {
    if (this.#filled) this.#cutter.add(this.#lineStart, end, this.#line);
    this.#filled = false;
    this.#line += 1;
    this.#lineStart = end + 1;
  }
}

function hasContent(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return true;
  }
  return false;
}
