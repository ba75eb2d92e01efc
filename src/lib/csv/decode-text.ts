import { RowsRefused } from '../rows/rows-refused.ts';

/**
 * Bytes of a CSV file as text: UTF-8 with or without BOM, or UTF-16 of either order with a BOM. Anything else is
 * refused with a hint rather than printed as wrong letters on ten thousand pages. A person who sees the text may
 * name another encoding.
 */
export class CsvTextDecoder {
  #decoder: InstanceType<typeof TextDecoder> | null = null;
  #start: Uint8Array = new Uint8Array(0);
  readonly #given: string | undefined;

  constructor(encoding?: string) {
    this.#given = encoding;
  }

  /** Null until the first bytes have been seen. */
  get encoding(): string | null {
    return this.#decoder?.encoding ?? null;
  }

  push(chunk: Uint8Array): string {
    if (this.#decoder !== null) return this.#decode(this.#decoder, chunk, true);
    // The BOM decides, and it may arrive in pieces.
    this.#start = concat(this.#start, chunk);
    return this.#start.length < 3 ? '' : this.#begin(true);
  }

  end(): string {
    return this.#decoder === null
      ? this.#begin(false)
      : this.#decode(this.#decoder, new Uint8Array(0), false);
  }

  #begin(more: boolean): string {
    const [first, second] = this.#start;
    const marked =
      first === 0xff && second === 0xfe
        ? 'utf-16le'
        : first === 0xfe && second === 0xff
          ? 'utf-16be'
          : 'utf-8';
    const decoder = new TextDecoder(this.#given ?? marked, { fatal: true });
    this.#decoder = decoder;
    const text = this.#decode(decoder, this.#start, more);
    this.#start = new Uint8Array(0);
    return text;
  }

  #decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, more: boolean): string {
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: more });
    } catch {
      throw new RowsRefused(
        'INVALID_CSV',
        `The file is not valid ${decoder.encoding.toUpperCase()}. Save it as UTF-8 (in a spreadsheet: "CSV UTF-8") and try again.`,
      );
    }
    if (text.includes('\0')) {
      throw new RowsRefused(
        'INVALID_CSV',
        'The file holds NUL characters. If it is UTF-16, it needs a byte order mark; otherwise save it as UTF-8.',
      );
    }
    return text;
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
