import { MERGED_NAME } from '../output-kind.ts';
import { STORED_BLOCK_MAX, storedBlockHead, storedBlocks, storedLength } from './shared-prefix.ts';
import {
  centralLength,
  endOfDirectory,
  localHeader,
  localLength,
  writeCentral,
  type ZipEntry,
} from './zip-format.ts';

/**
 * The virtual ZIP. A finished job is stored as the deflated base, the tails one after another in row order, and this index.
 * Every byte of the ZIP can be computed from them. Its size is known in advance, any range can be served, and a row can be
 * extracted alone.
 */
export interface ZipRow {
  readonly name: string;
  readonly tailLength: number;
  readonly crc32: number;
  /** Bytes between this tail and the next one. */
  readonly gap?: number;
}

/** The size of the shared base, in the ZIP and uncompressed. */
export interface PrefixLengths {
  readonly deflatedLength: number;
  readonly plainLength: number;
}

export interface ZipManifest {
  readonly deflated: Uint8Array;
  readonly plainLength: number;
  readonly crc32: number;
}

/** A small entry after the manifest. */
export interface ZipLastEntry extends ZipManifest {
  readonly name: string;
}

/** The PDF of all rows: its length after the base that it begins with, and the checksum of the whole. */
export interface ZipMerged {
  readonly length: number;
  readonly crc32: number;
}

/** A segment of the ZIP: computed bytes, or a range of one of the stored parts. `merged` counts from the end of the base. */
export type ZipSegment =
  | { readonly from: 'here'; readonly bytes: Uint8Array }
  | { readonly from: 'prefix' | 'tails' | 'merged'; readonly start: number; readonly end: number };

const MANIFEST_NAME = 'manifest.json';

export class ZipPlan {
  readonly size: number;
  readonly tailsLength: number;
  /** The start of the manifest's entry. */
  readonly manifestAt: number;
  readonly #rows: readonly ZipRow[];
  readonly #prefix: PrefixLengths;
  /** The manifest and what follows it, with the start of each. */
  readonly #last: readonly { readonly entry: ZipLastEntry; readonly at: number }[];
  readonly #merged: ZipMerged | undefined;
  /** The start of each row's entry in the ZIP and of its tail among the tails, and the end of both. */
  readonly #entryAt: Float64Array;
  readonly #tailAt: Float64Array;
  readonly #directoryAt: number;
  #directory: Uint8Array | null = null;

  constructor(
    prefix: PrefixLengths,
    rows: readonly ZipRow[],
    manifest: ZipManifest,
    merged?: ZipMerged | undefined,
    signature?: ZipLastEntry | undefined,
  ) {
    this.#prefix = prefix;
    this.#rows = rows;
    this.#merged = merged;
    this.#entryAt = new Float64Array(rows.length + 1);
    this.#tailAt = new Float64Array(rows.length + 1);
    let entryAt = 0;
    let tailAt = 0;
    let directoryLength = 0;
    rows.forEach((row, index) => {
      directoryLength += centralLength(row.name, entryAt);
      entryAt += localLength(row.name) + prefix.deflatedLength + storedLength(row.tailLength);
      tailAt += row.tailLength + (row.gap ?? 0);
      this.#entryAt[index + 1] = entryAt;
      this.#tailAt[index + 1] = tailAt;
    });
    if (merged !== undefined) {
      directoryLength += centralLength(MERGED_NAME, entryAt);
      entryAt += localLength(MERGED_NAME) + prefix.deflatedLength + storedLength(merged.length);
    }
    this.manifestAt = entryAt;
    this.#last = [{ ...manifest, name: MANIFEST_NAME }, ...(signature ? [signature] : [])].map((entry) => {
      const at = entryAt;
      directoryLength += centralLength(entry.name, at);
      entryAt += localLength(entry.name) + entry.deflated.length;
      return { entry, at };
    });
    this.#directoryAt = entryAt;
    this.tailsLength = tailAt;
    const count = this.#count;
    this.size =
      this.#directoryAt + directoryLength + endOfDirectory(count, this.#directoryAt, directoryLength).length;
  }

  /** The ZIP's bytes from `start` to `end` (exclusive) as a sequence of segments. */
  *segments(start = 0, end = this.size): Generator<ZipSegment> {
    const from = Math.max(0, start);
    const to = Math.min(end, this.size);
    let index = this.#entryContaining(from);
    for (; index < this.#rows.length && this.#at(this.#entryAt, index) < to; index += 1) {
      yield* clip(this.#rowSegments(index), this.#at(this.#entryAt, index), from, to);
    }
    if (this.#merged !== undefined && this.mergedAt < to && this.manifestAt > from)
      yield* clip(mergedSegments(this.#merged, this.#prefix), this.mergedAt, from, to);
    if (this.manifestAt < to) yield* clip(this.#ending(), this.manifestAt, from, to);
  }

  /** The end of the rows, and the start of the entry of the merged PDF, if there is one. */
  get mergedAt(): number {
    return this.#at(this.#entryAt, this.#rows.length);
  }

  /** The range of one row's tail. The row's PDF is the uncompressed base followed by this range of the tails. */
  tailRange(index: number): { readonly start: number; readonly end: number } {
    const start = this.#at(this.#tailAt, index);
    return { start, end: start + (this.#rows[index]?.tailLength ?? 0) };
  }

  #rowSegments(index: number): ZipSegment[] {
    const row = this.#rows[index];
    if (row === undefined) throw new Error('bug: no such row in the ZIP');
    return rowSegments(row, this.#prefix, this.#at(this.#tailAt, index));
  }

  *#ending(): Generator<ZipSegment> {
    for (const { entry } of this.#last) {
      yield { from: 'here', bytes: localHeader(lastEntry(entry)) };
      yield { from: 'here', bytes: entry.deflated };
    }
    this.#directory ??= this.#buildDirectory();
    yield { from: 'here', bytes: this.#directory };
  }

  #buildDirectory(): Uint8Array {
    const bytes = new Uint8Array(this.size - this.#directoryAt);
    const view = new DataView(bytes.buffer);
    let at = 0;
    this.#rows.forEach((row, index) => {
      at = writeCentral(bytes, view, at, rowEntry(row, this.#prefix), this.#at(this.#entryAt, index));
    });
    if (this.#merged !== undefined)
      at = writeCentral(bytes, view, at, mergedEntry(this.#merged, this.#prefix), this.mergedAt);
    for (const last of this.#last) at = writeCentral(bytes, view, at, lastEntry(last.entry), last.at);
    bytes.set(endOfDirectory(this.#count, this.#directoryAt, at), at);
    return bytes;
  }

  get #count(): number {
    return this.#rows.length + (this.#merged === undefined ? 0 : 1) + this.#last.length;
  }

  /** The last entry that begins at or before `offset`. */
  #entryContaining(offset: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#at(this.#entryAt, middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #at(table: Float64Array, index: number): number {
    return table[index] ?? 0;
  }
}

export function rowSegments(row: ZipRow, prefix: PrefixLengths, tailAt: number): ZipSegment[] {
  const segments: ZipSegment[] = [
    { from: 'here', bytes: localHeader(rowEntry(row, prefix)) },
    { from: 'prefix', start: 0, end: prefix.deflatedLength },
  ];
  const blocks = storedBlocks(row.tailLength);
  for (let block = 0; block < blocks; block += 1) {
    const start = block * STORED_BLOCK_MAX;
    const length = Math.min(STORED_BLOCK_MAX, row.tailLength - start);
    segments.push({ from: 'here', bytes: storedBlockHead(length, block === blocks - 1) });
    segments.push({ from: 'tails', start: tailAt + start, end: tailAt + start + length });
  }
  return segments;
}

function mergedEntry({ length, crc32 }: ZipMerged, prefix: PrefixLengths): ZipEntry {
  return rowEntry({ name: MERGED_NAME, tailLength: length, crc32 }, prefix);
}

/** One at a time: a large file has very many blocks. */
function* mergedSegments(merged: ZipMerged, prefix: PrefixLengths): Generator<ZipSegment> {
  yield { from: 'here', bytes: localHeader(mergedEntry(merged, prefix)) };
  yield { from: 'prefix', start: 0, end: prefix.deflatedLength };
  for (let start = 0; start < merged.length; start += STORED_BLOCK_MAX) {
    const end = Math.min(start + STORED_BLOCK_MAX, merged.length);
    yield { from: 'here', bytes: storedBlockHead(end - start, end === merged.length) };
    yield { from: 'merged', start, end };
  }
}

export function rowEntry(row: ZipRow, prefix: PrefixLengths): ZipEntry {
  return {
    name: row.name,
    crc32: row.crc32,
    deflatedLength: prefix.deflatedLength + storedLength(row.tailLength),
    plainLength: prefix.plainLength + row.tailLength,
  };
}

function lastEntry({ name, crc32, plainLength, deflated }: ZipLastEntry): ZipEntry {
  return { name, crc32, plainLength, deflatedLength: deflated.length };
}

function* clip(segments: Iterable<ZipSegment>, at: number, from: number, to: number): Generator<ZipSegment> {
  let position = at;
  for (const segment of segments) {
    const length = segment.from === 'here' ? segment.bytes.length : segment.end - segment.start;
    const cutStart = Math.max(0, from - position);
    const cutEnd = Math.min(length, to - position);
    position += length;
    if (cutStart >= cutEnd) continue;
    if (cutStart === 0 && cutEnd === length) yield segment;
    else if (segment.from === 'here') yield { from: 'here', bytes: segment.bytes.subarray(cutStart, cutEnd) };
    else yield { from: segment.from, start: segment.start + cutStart, end: segment.start + cutEnd };
  }
}
