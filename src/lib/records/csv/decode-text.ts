import { RecordsRefused } from '../records-refused.ts';
import { concatBytes, firstFault, LineStart } from './first-fault.ts';
import { likelyEncoding } from './likely-encoding.ts';

/** Returns the name of an encoding by one of its labels (Encoding Standard, section 4.2), or null. */
export function encodingOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

export interface CsvEncoding {
  /** A label of the Encoding Standard, given by a person. Without it the byte order mark decides, else UTF-8. */
  readonly encoding?: string | undefined;
  /** What a refusal writes before the likely encoding, if the caller has such a setting: `csv_encoding=`. */
  readonly encodingSetting?: string | undefined;
}

/** Returns the line in which `text` ends if it follows what is decoded so far. Called for refusals only. */
export type LineAfter = (text: string) => number;

/**
 * Decodes the bytes of a CSV file: UTF-8 with or without BOM, UTF-16 of either order with a BOM, or the given encoding. Refuses anything
 * else with its place and a hint instead of printing wrong letters on ten thousand pages.
 */
export class CsvTextDecoder {
  #decoder: InstanceType<typeof TextDecoder> | null = null;
  #start: Uint8Array = new Uint8Array(0);
  #line = new LineStart('utf-8');
  readonly #options: CsvEncoding;

  constructor(options: CsvEncoding = {}) {
    this.#options = options;
  }

  /** Null until the first bytes are read. */
  get encoding(): string | null {
    return this.#decoder?.encoding ?? null;
  }

  push(chunk: Uint8Array, lineAfter: LineAfter): string {
    if (this.#decoder !== null) return this.#decode(this.#decoder, chunk, true, lineAfter);
    // The BOM decides, and it may arrive in pieces.
    this.#start = concatBytes(this.#start, chunk);
    return this.#start.length < 3 ? '' : this.#begin(true, lineAfter);
  }

  end(lineAfter: LineAfter): string {
    return this.#decoder === null
      ? this.#begin(false, lineAfter)
      : this.#decode(this.#decoder, new Uint8Array(0), false, lineAfter);
  }

  #begin(more: boolean, lineAfter: LineAfter): string {
    const [first, second] = this.#start;
    const marked =
      first === 0xff && second === 0xfe
        ? 'utf-16le'
        : first === 0xfe && second === 0xff
          ? 'utf-16be'
          : 'utf-8';
    const decoder = new TextDecoder(this.#options.encoding ?? marked, { fatal: true });
    this.#decoder = decoder;
    this.#line = new LineStart(decoder.encoding);
    const text = this.#decode(decoder, this.#start, more, lineAfter);
    this.#start = new Uint8Array(0);
    return text;
  }

  #decode(
    decoder: InstanceType<typeof TextDecoder>,
    bytes: Uint8Array,
    more: boolean,
    lineAfter: LineAfter,
  ): string {
    const passed = this.#line.end;
    const lineAt = (offset: number) =>
      lineAfter(new TextDecoder(decoder.encoding).decode(bytes.subarray(0, Math.max(offset - passed, 0))));
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: more });
    } catch {
      const { offset, byte, around } = firstFault(decoder.encoding, this.#line, bytes);
      const what = `${hex(byte)} at offset ${offset} is not ${decoder.encoding.toUpperCase()}`;
      throw this.#refusal(what, around, lineAt(offset));
    }
    if (text.includes('\0')) {
      const offset = passed + bytes.indexOf(0);
      const what = `${hex(0)} at offset ${offset} is a NUL, which a CSV file cannot contain`;
      throw this.#refusal(what, bytes, lineAt(offset));
    }
    if (more) this.#line.pass(bytes);
    return text;
  }

  #refusal(what: string, around: Uint8Array, line: number): RecordsRefused {
    const likely = likelyEncoding(around);
    const name = likely === this.encoding ? null : likely;
    const hint = name === null ? '' : `; the file is probably ${name}`;
    const { encodingSetting } = this.#options;
    const advice =
      name === null || encodingSetting === undefined
        ? `. Save it as ${AS_UTF8} and try again.`
        : `: set ${encodingSetting}${name}, or save the file as ${AS_UTF8}.`;
    return new RecordsRefused('encoding', what + hint + advice, line);
  }
}

const AS_UTF8 = 'UTF-8 (in a spreadsheet: "CSV UTF-8")';
const hex = (byte: number) => `Byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
