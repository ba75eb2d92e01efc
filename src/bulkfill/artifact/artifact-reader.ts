import type { Blobs, ByteRange } from '#engine/blobs.ts';
import { ZipPlan } from '#fill/zip/zip-plan.ts';
import type { ArtifactParts } from '../export-input.ts';
import type { StoredTemplate, Templates } from '../templates.ts';
import { decodeIndex } from './artifact-index.ts';

/** Pieces are handed on in batches of about this size: one wait per megabyte instead of two per row. */
const BATCH_BYTES = 1024 * 1024;
/** How much of the tails is read at once. */
const WINDOW_BYTES = 1024 * 1024;

/**
 * A finished job's ZIP, assembled while it is read: the prefix from one shared buffer, the tails from the
 * slices' blobs, everything else by arithmetic. Nothing is compressed or written twice.
 */
export class ArtifactReader {
  readonly #blobs: Blobs;
  readonly #parts: ArtifactParts;
  readonly #template: StoredTemplate;
  readonly #plan: ZipPlan;
  readonly #rowNumbers: readonly number[];

  private constructor(
    blobs: Blobs,
    parts: ArtifactParts,
    template: StoredTemplate,
    plan: ZipPlan,
    rowNumbers: readonly number[],
  ) {
    this.#blobs = blobs;
    this.#parts = parts;
    this.#template = template;
    this.#plan = plan;
    this.#rowNumbers = rowNumbers;
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
    const prefix = { deflatedLength: template.deflated.length, plainLength: template.base.byteLength };
    const plan = new ZipPlan(prefix, rows, { deflated: manifest, plainLength, crc32 });
    return new ArtifactReader(blobs, parts, template, plan, rowNumbers);
  }

  get size(): number {
    return this.#plan.size;
  }

  /**
   * Bytes `start` to `end` (exclusive) of the ZIP, in batches. The prefix of every row is the same buffer, never
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

  /** The PDF of one input row; undefined when that row has none. */
  row(rowNumber: number): RowPdf | undefined {
    const index = this.#rowNumbers.indexOf(rowNumber);
    if (index === -1) return undefined;
    const { start, end } = this.#plan.tailRange(index);
    const base = new Uint8Array(this.#template.base);
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

/** The PDF of a row as a stream: the base that all rows share, then the row's own tail. */
export interface RowPdf {
  readonly length: number;
  bytes(): AsyncIterable<Uint8Array>;
}

/** Where each slice's tails lie when the tails of all slices are read as one file. */
class Tails {
  readonly #slices: { readonly blob: string; readonly start: number; readonly end: number }[] = [];

  constructor(slices: ArtifactParts['slices']) {
    let at = 0;
    for (const { blob, tailsLength } of slices) {
      this.#slices.push({ blob, start: at, end: at + tailsLength });
      at += tailsLength;
    }
  }

  /** A tail never spans two slices, so one blob holds these bytes. `rest` is where the blob's tails end. */
  find(start: number, end: number): ByteRange & { readonly blob: string; readonly rest: number } {
    const slice = this.#slices.find((candidate) => start >= candidate.start && end <= candidate.end);
    if (slice === undefined) throw new Error(`bug: no slice holds tail bytes ${start}–${end}`);
    const { blob, start: first } = slice;
    return { blob, start: start - first, end: end - first, rest: slice.end - first };
  }
}

/** Reads forward through the tails of all slices as if they were one file, a window at a time. */
class TailWindow {
  readonly #blobs: Blobs;
  readonly #tails: Tails;
  #bytes: Uint8Array = new Uint8Array(0);
  #from = 0;

  constructor(blobs: Blobs, slices: ArtifactParts['slices']) {
    this.#blobs = blobs;
    this.#tails = new Tails(slices);
  }

  /** These bytes if the window holds them, without a wait. */
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
