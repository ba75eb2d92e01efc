import { RowsRefused } from '../../rows/rows-refused.ts';
import { concatBytes, firstFault, LineStart } from './first-fault.ts';
import { likelyEncoding } from './likely-encoding.ts';

/** The name of an encoding by one of its labels (Encoding Standard, section 4.2), or null. */
export function encodingOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/**
 * Bytes of a CSV file as text: UTF-8 with or without BOM, or UTF-16 of either order with a BOM, or the encoding that a person names.
 * Anything else is refused with the place and a hint rather than printed as wrong letters on ten thousand pages.
 */
export class CsvTextDecoder {
  #decoder: InstanceType<typeof TextDecoder> | null = null;
  #start: Uint8Array = new Uint8Array(0);
  #line = new LineStart('utf-8');
  readonly #given: string | undefined;
  readonly #setting: string | undefined;

  /** `setting` is what a refusal writes before the likely encoding (`csv_encoding=`), where there is such a setting. */
  constructor(encoding?: string, setting?: string) {
    this.#given = encoding;
    this.#setting = setting;
  }

  /** Null until the first bytes have been seen. */
  get encoding(): string | null {
    return this.#decoder?.encoding ?? null;
  }

  push(chunk: Uint8Array): string {
    if (this.#decoder !== null) return this.#decode(this.#decoder, chunk, true);
    // The BOM decides, and it may arrive in pieces.
    this.#start = concatBytes(this.#start, chunk);
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
    this.#line = new LineStart(decoder.encoding);
    const text = this.#decode(decoder, this.#start, more);
    this.#start = new Uint8Array(0);
    return text;
  }

  #decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, more: boolean): string {
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: more });
    } catch {
      const { offset, byte, around } = firstFault(decoder.encoding, this.#line, bytes);
      throw this.#refusal(
        `${hex(byte)} at offset ${offset} is not ${decoder.encoding.toUpperCase()}`,
        around,
      );
    }
    if (text.includes('\0')) {
      const at = bytes.indexOf(0);
      const where = this.#line.end + at;
      throw this.#refusal(`${hex(0)} at offset ${where} is a NUL, which no CSV file holds`, bytes);
    }
    if (more) this.#line.pass(bytes);
    return text;
  }

  #refusal(what: string, around: Uint8Array): RowsRefused {
    const likely = likelyEncoding(around);
    const name = likely === this.encoding ? null : likely;
    const hint = name === null ? '' : `; the file is probably ${name}`;
    const advice =
      name === null || this.#setting === undefined
        ? `. Save it as ${AS_UTF8} and try again.`
        : `: set ${this.#setting}${name}, or save the file as ${AS_UTF8}.`;
    return new RowsRefused('INVALID_CSV', what + hint + advice);
  }
}

const AS_UTF8 = 'UTF-8 (in a spreadsheet: "CSV UTF-8")';
const hex = (byte: number) => `Byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
