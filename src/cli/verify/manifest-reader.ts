import { z } from 'zod';

const rowSchema = z.object({
  row_number: z.int(),
  file_name: z.string().nullable(),
  sha256: z.string().nullable(),
  /** The first page of the row in the PDF of all rows. */
  first_page: z.int().nullish(),
});
const headSchema = z.object({
  version: z.literal(2),
  rows: z.int().min(0),
  options: z.looseObject({ dry_run: z.boolean().optional(), sign_manifest: z.boolean().optional() }),
  merged: z.object({ file_name: z.string(), sha256: z.string() }).optional(),
});

export type ManifestRow = z.infer<typeof rowSchema>;
export type ManifestMembers = z.infer<typeof headSchema>;

/** The text cannot be the manifest of an archive. The message completes "manifest.json …". */
export class ManifestUnreadable extends Error {}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const ROWS = '"row_results"';
/** Everything but the rows, and each row: far above what the engine writes, so only a damaged file reaches it. */
const MAX_TEXT_BYTES = 64_000_000;

/**
 * Reads manifest.json in pieces: the rows of a job can take more memory than the process may use. It follows strings and
 * brackets and parses each row by itself; the other members are parsed at the end. White space and the order of members
 * are free.
 */
export class ManifestReader {
  /** The document without its rows. */
  readonly #rest: Buffer[] = [];
  #row: Buffer[] = [];
  #restBytes = 0;
  #rowBytes = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The string at depth 1 that was read last, with its quotes: the name of the member before a bracket. */
  #name = '';
  #afterColon = false;
  #inRows = false;
  #count = 0;

  /** Returns the rows that end in this piece. */
  push(piece: Buffer): ManifestRow[] {
    const found: ManifestRow[] = [];
    let start = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] as number;
      if (this.#inString) {
        if (this.#depth === 1) this.#name += String.fromCharCode(byte);
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#inString = false;
        continue;
      }
      if (byte === QUOTE) {
        this.#inString = true;
        if (this.#depth === 1) this.#name = '"';
      } else if (byte === COLON && this.#depth === 1) this.#afterColon = true;
      else if (byte === OPEN || byte === OPEN_BRACE) {
        if (this.#inRows && this.#depth === 2) start = at;
        this.#depth += 1;
        if (this.#depth !== 2) continue;
        if (byte === OPEN && this.#afterColon && this.#name === ROWS) {
          this.#inRows = true;
          this.#keepRest(piece.subarray(start, at + 1));
        }
        this.#afterColon = false;
      } else if (byte === CLOSE || byte === CLOSE_BRACE) {
        this.#depth -= 1;
        if (!this.#inRows) continue;
        if (this.#depth === 1) {
          this.#inRows = false;
          start = at;
        } else if (this.#depth === 2) {
          this.#keepRow(piece.subarray(start, at + 1));
          found.push(this.#parseRow());
        }
      }
    }
    if (!this.#inRows) this.#keepRest(piece.subarray(start));
    else if (this.#depth > 2) this.#keepRow(piece.subarray(start));
    return found;
  }

  /** Returns the other members, after the last piece. */
  end(): ManifestMembers {
    if (this.#depth !== 0) throw new ManifestUnreadable('ends too early');
    const members = parse(headSchema, this.#rest);
    if (members.rows !== this.#count)
      throw new ManifestUnreadable(`has ${this.#count} row results for ${members.rows} rows`);
    return members;
  }

  #parseRow(): ManifestRow {
    const row = parse(rowSchema, this.#row);
    this.#row = [];
    this.#rowBytes = 0;
    this.#count += 1;
    return row;
  }

  #keepRest(bytes: Buffer): void {
    this.#restBytes += bytes.length;
    this.#rest.push(copied(bytes, this.#restBytes));
  }

  #keepRow(bytes: Buffer): void {
    this.#rowBytes += bytes.length;
    this.#row.push(copied(bytes, this.#rowBytes));
  }
}

/** Copies bytes of a piece, because its stream may use the buffer again. */
function copied(bytes: Buffer, soFar: number): Buffer {
  if (soFar > MAX_TEXT_BYTES) throw new ManifestUnreadable('is too large');
  return Buffer.from(bytes);
}

function parse<T>(schema: z.ZodType<T>, pieces: readonly Buffer[]): T {
  try {
    return schema.parse(JSON.parse(Buffer.concat(pieces).toString('utf8')));
  } catch {
    throw new ManifestUnreadable('is not a manifest of version 2');
  }
}
