import type { Blobs, ByteRange } from '#engine/blobs.ts';
import { signatureEntry } from '#fill/node/sign-manifest.ts';
import { type PrefixLengths, ZipPlan } from '#fill/zip/zip-plan.ts';
import type { ArtifactParts, MergedParts } from '../export-input.ts';
import type { StoredTemplate, Templates } from '../templates.ts';
import { decodeIndex } from './artifact-index.ts';
import { type MergedIndex, MergedReader } from './merged-reader.ts';

/** Approximate batch size: one wait per megabyte instead of two per row. */
const BATCH_BYTES = 1024 * 1024;
/** Number of tail bytes read at once. */
const WINDOW_BYTES = 1024 * 1024;

/**
 * Assembles the ZIP of a finished job while it is read. The prefix comes from one shared buffer and the tails from the
 * slices' blobs; offsets and headers are computed. Nothing is compressed or written twice.
 */
export class ArtifactReader {
  readonly #blobs: Blobs;
  readonly #parts: ArtifactParts;
  readonly #template: StoredTemplate;
  readonly #plan: ZipPlan;
  readonly #rowNumbers: readonly number[];
  readonly #merged: MergedReader | undefined;

  private constructor(
    blobs: Blobs,
    parts: ArtifactParts,
    template: StoredTemplate,
    plan: ZipPlan,
    rowNumbers: readonly number[],
    merged: MergedReader | undefined,
  ) {
    this.#blobs = blobs;
    this.#parts = parts;
    this.#template = template;
    this.#plan = plan;
    this.#rowNumbers = rowNumbers;
    this.#merged = merged;
  }

  static async open(
    { blobs, templates }: { readonly blobs: Blobs; readonly templates: Templates },
    parts: ArtifactParts,
  ): Promise<ArtifactReader> {
    const [template, index, manifest] = await Promise.all([
      templates.load(parts.base),
      blobs.readAll(parts.index),
      blobs.readAll(parts.manifest.blob),
    ]);
    const { rows, rowNumbers } = decodeIndex(index);
    const { plainLength, crc32 } = parts.manifest;
    const prefix = prefixLengths(template, parts.encrypted);
    const merged = parts.merged && (await openMerged(blobs, template, parts.merged));
    const plan = new ZipPlan(
      prefix,
      rows,
      { deflated: manifest, plainLength, crc32 },
      parts.merged && {
        length: parts.merged.sizeBytes - template.base.byteLength,
        crc32: parts.merged.crc32,
      },
      parts.signature === undefined ? undefined : signatureEntry(parts.signature),
    );
    return new ArtifactReader(blobs, parts, template, plan, rowNumbers, merged);
  }

  /** Opens the PDF of all rows alone. */
  static async openMerged(
    { blobs, templates }: { readonly blobs: Blobs; readonly templates: Templates },
    base: string,
    parts: MergedParts,
  ): Promise<MergedReader> {
    return openMerged(blobs, await templates.load(base), parts);
  }

  get size(): number {
    return this.#plan.size;
  }

  /**
   * Yields bytes `start` to `end` (exclusive) of the ZIP in batches. All rows share one prefix buffer, which is never
   * copied; the small pieces between two prefixes are joined.
   */
  async *zip(start = 0, end = this.size): AsyncGenerator<readonly Uint8Array[]> {
    const tails = new TailWindow(this.#blobs, this.#parts.slices);
    let batch: Uint8Array[] = [];
    let small: Uint8Array[] = [];
    let length = 0;
    for (const segment of this.#plan.segments(start, end)) {
      if (segment.from === 'prefix') {
        if (small.length > 0) batch.push(joined(small));
        small = [];
        batch.push(this.#template.deflated.subarray(segment.start, segment.end));
      } else {
        small.push(
          segment.from === 'here'
            ? segment.bytes
            : segment.from === 'merged'
              ? await this.#mergedBytes(segment.start, segment.end)
              : (tails.held(segment.start, segment.end) ?? (await tails.move(segment.start, segment.end))),
        );
      }
      length += segment.from === 'here' ? segment.bytes.length : segment.end - segment.start;
      if (length < BATCH_BYTES) continue;
      if (small.length > 0) batch.push(joined(small));
      yield batch;
      batch = [];
      small = [];
      length = 0;
    }
    if (small.length > 0) batch.push(joined(small));
    if (batch.length > 0) yield batch;
  }

  /** Bytes of the PDF of all rows, counted from the end of its base. */
  async #mergedBytes(start: number, end: number): Promise<Uint8Array> {
    if (this.#merged === undefined) throw new Error('bug: the ZIP has no merged PDF');
    const base = this.#template.base.byteLength;
    return this.#merged.read(base + start, base + end);
  }

  /** Returns the PDF of one input row; undefined if the row has none. */
  row(rowNumber: number): RowPdf | undefined {
    const index = this.#rowNumbers.indexOf(rowNumber);
    if (index === -1) return undefined;
    const { start, end } = this.#plan.tailRange(index);
    const base = this.#parts.encrypted ? new Uint8Array(0) : new Uint8Array(this.#template.base);
    const tail = new Tails(this.#parts.slices).find(start, end);
    const blobs = this.#blobs;
    return {
      length: base.length + end - start,
      async *bytes() {
        yield base;
        yield* blobs.read(tail.blob, { start: tail.start, end: tail.end });
      },
    };
  }
}

/** The bytes that all rows share. */
export function prefixLengths(
  { deflated, base }: StoredTemplate,
  encrypted: true | undefined,
): PrefixLengths {
  return encrypted
    ? { deflatedLength: 0, plainLength: 0 }
    : { deflatedLength: deflated.length, plainLength: base.byteLength };
}

async function openMerged(
  blobs: Blobs,
  { base }: StoredTemplate,
  { index, ending }: MergedParts,
): Promise<MergedReader> {
  const read = JSON.parse(String(await blobs.readAll(index))) as MergedIndex;
  return new MergedReader(blobs, base, { index: read, ending });
}

/** Streams the PDF of a row: the base that all rows share, then the row's own tail. */
export interface RowPdf {
  readonly length: number;
  bytes(): AsyncIterable<Uint8Array>;
}

/** Start of each slice's tails in the concatenation of all tails. */
class Tails {
  readonly #slices: { readonly blob: string; readonly start: number; readonly end: number }[] = [];

  constructor(slices: ArtifactParts['slices']) {
    let at = 0;
    for (const { blob, tailsLength } of slices) {
      this.#slices.push({ blob, start: at, end: at + tailsLength });
      at += tailsLength;
    }
  }

  /** Finds the blob of these bytes: a tail never spans two slices. `rest` is the end of the blob's tails. */
  find(start: number, end: number): ByteRange & { readonly blob: string; readonly rest: number } {
    const slice = this.#slices.find((candidate) => start >= candidate.start && end <= candidate.end);
    if (slice === undefined) throw new Error(`bug: no slice holds tail bytes ${start}–${end}`);
    const { blob, start: first } = slice;
    return { blob, start: start - first, end: end - first, rest: slice.end - first };
  }
}

/** Reads forward through the tails of all slices as if they were one file, one window at a time. */
class TailWindow {
  readonly #blobs: Blobs;
  readonly #tails: Tails;
  #bytes: Uint8Array = new Uint8Array(0);
  #from = 0;

  constructor(blobs: Blobs, slices: ArtifactParts['slices']) {
    this.#blobs = blobs;
    this.#tails = new Tails(slices);
  }

  /** Returns these bytes without waiting if the window contains them. */
  held(start: number, end: number): Uint8Array | undefined {
    if (start < this.#from || end > this.#from + this.#bytes.length) return undefined;
    return this.#bytes.subarray(start - this.#from, end - this.#from);
  }

  /** Moves the window to these bytes. */
  async move(start: number, end: number): Promise<Uint8Array> {
    const tail = this.#tails.find(start, end);
    const until = Math.min(tail.rest, Math.max(tail.end, tail.start + WINDOW_BYTES));
    this.#bytes = await this.#blobs.readAll(tail.blob, { start: tail.start, end: until });
    this.#from = start;
    return this.#bytes.subarray(0, end - start);
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}
