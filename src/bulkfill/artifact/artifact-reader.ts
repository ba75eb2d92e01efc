import type { Blobs } from '../../engine/blobs.ts';
import { ZipPlan } from '../../fill/zip/zip-plan.ts';
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
  readonly #manifest: Buffer;

  private constructor(
    blobs: Blobs,
    parts: ArtifactParts,
    template: StoredTemplate,
    plan: ZipPlan,
    rowNumbers: readonly number[],
    manifest: Buffer,
  ) {
    this.#blobs = blobs;
    this.#parts = parts;
    this.#template = template;
    this.#plan = plan;
    this.#rowNumbers = rowNumbers;
    this.#manifest = manifest;
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
    return new ArtifactReader(blobs, parts, template, plan, rowNumbers, manifest);
  }

  get size(): number {
    return this.#plan.size;
  }

  /** manifest.json as it lies in the ZIP: raw deflate. */
  get deflatedManifest(): Buffer {
    return this.#manifest;
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
  async row(
    rowNumber: number,
  ): Promise<{ readonly base: Uint8Array; readonly tail: Uint8Array } | undefined> {
    const index = this.#rowNumbers.indexOf(rowNumber);
    if (index === -1) return undefined;
    const { start, end } = this.#plan.tailRange(index);
    const tail = await new TailWindow(this.#blobs, this.#parts.slices).move(start, end);
    return { base: new Uint8Array(this.#template.base), tail };
  }
}

/** Reads forward through the tails of all slices as if they were one file, a window at a time. */
class TailWindow {
  readonly #blobs: Blobs;
  readonly #slices: { readonly blob: string; readonly start: number; readonly end: number }[] = [];
  #bytes: Uint8Array = new Uint8Array(0);
  #from = 0;

  constructor(blobs: Blobs, slices: ArtifactParts['slices']) {
    this.#blobs = blobs;
    let at = 0;
    for (const { blob, tailsLength } of slices) {
      this.#slices.push({ blob, start: at, end: at + tailsLength });
      at += tailsLength;
    }
  }

  /** These bytes if the window holds them, without a wait. */
  held(start: number, end: number): Uint8Array | undefined {
    if (start < this.#from || end > this.#from + this.#bytes.length) return undefined;
    return this.#bytes.subarray(start - this.#from, end - this.#from);
  }

  /** Moves the window to these bytes. A tail never spans two slices, so one blob holds what is asked for. */
  async move(start: number, end: number): Promise<Uint8Array> {
    const slice = this.#slices.find((candidate) => start >= candidate.start && end <= candidate.end);
    if (slice === undefined) throw new Error(`bug: no slice holds tail bytes ${start}–${end}`);
    const until = Math.min(slice.end, Math.max(end, start + WINDOW_BYTES));
    this.#bytes = await this.#blobs.readAll(slice.blob, {
      start: start - slice.start,
      end: until - slice.start,
    });
    this.#from = start;
    return this.#bytes.subarray(0, end - start);
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}
