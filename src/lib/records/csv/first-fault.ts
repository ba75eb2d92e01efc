/** Maximum bytes kept of an unfinished line. In a longer line a fault has less context. */
const MAX_LINE_BYTES = 65_536;
const LF = 10;

/**
 * The bytes of the unfinished line at the end of a chunk. In every encoding a character starts after a line end, so a decoder can start
 * there and locate a fault; the streaming decoder only reports that there is one.
 */
export class LineStart {
  readonly #isWide: boolean;
  /** Offset of `bytes` in the file. */
  offset = 0;
  bytes: Uint8Array = new Uint8Array(0);

  constructor(encoding: string) {
    this.#isWide = encoding.startsWith('utf-16');
  }

  get end(): number {
    return this.offset + this.bytes.length;
  }

  pass(chunk: Uint8Array): void {
    const end = chunk.lastIndexOf(LF);
    const all = end === -1 ? concatBytes(this.bytes, chunk) : chunk;
    const allOffset = end === -1 ? this.offset : this.end;
    let start = Math.max(end + 1, all.length - MAX_LINE_BYTES);
    if (this.#isWide && (allOffset + start) % 2 === 1) start -= 1;
    this.bytes = all.slice(start);
    this.offset = allOffset + start;
  }
}

export interface Fault {
  /** Offset in the file, from 0. */
  readonly offset: number;
  readonly byte: number;
  /** The bytes around it, from the start of its line. */
  readonly around: Uint8Array;
}

/** Finds the first byte that is invalid in the encoding. `bytes` follow `line` and contain such a byte. */
export function firstFault(encoding: string, line: LineStart, bytes: Uint8Array): Fault {
  const all = concatBytes(line.bytes, bytes);
  let good = 0;
  let bad = all.length + 1;
  // The longest prefix that may still become text.
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decodes(encoding, all.subarray(0, middle), true)) good = middle;
    else bad = middle;
  }
  // Back to the start of its last, incomplete character.
  let at = Math.min(good, all.length);
  while (at > 0 && !decodes(encoding, all.subarray(0, at), false)) at -= 1;
  return {
    offset: line.offset + at,
    byte: all[at] ?? 0,
    around: all.subarray(0, at + MAX_LINE_BYTES).subarray(-2 * MAX_LINE_BYTES),
  };
}

function decodes(encoding: string, bytes: Uint8Array, more: boolean): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: more });
    return true;
  } catch {
    return false;
  }
}

export function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
