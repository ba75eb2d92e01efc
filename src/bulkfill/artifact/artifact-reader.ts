import type { Blobs } from '../../engine/blobs.ts';
import { ZipPlan } from '../../fill/zip/zip-plan.ts';
import type { ArtifactParts } from '../export-input.ts';
import type { StoredTemplate, Templates } from '../templates.ts';
import { decodeIndex } from './artifact-index.ts';

/** Small pieces (headers, tails) are gathered up to this much before they are handed on. */
const CHUNK_BYTES = 256 * 1024;
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

  /** Bytes `start` to `end` (exclusive) of the ZIP. */
  async *zip(start = 0, end = this.size): AsyncGenerator<Uint8Array> {
    const tails = new TailWindow(this.#blobs, this.#parts.slices);
    let gathered: Uint8Array[] = [];
    let length = 0;
    for (const segment of this.#plan.segments(start, end)) {
      const bytes =
        segment.from === 'here'
          ? segment.bytes
          : segment.from === 'prefix'
            ? this.#template.deflated.subarray(segment.start, segment.end)
            : await tails.read(segment.start, segment.end);
      // A large prefix goes out as it is: one buffer for all rows, never copied.
      if (bytes.length >= CHUNK_BYTES / 4) {
        if (length > 0) yield joined(gathered);
        gathered = [];
        length = 0;
        yield bytes;
        continue;
      }
      gathered.push(bytes);
      length += bytes.length;
      if (length < CHUNK_BYTES) continue;
      yield joined(gathered);
      gathered = [];
      length = 0;
    }
    if (length > 0) yield joined(gathered);
  }

  /** The PDF of one input row; undefined when that row has none. */
  async row(
    rowNumber: number,
  ): Promise<{ readonly base: Uint8Array; readonly tail: Uint8Array } | undefined> {
    const index = this.#rowNumbers.indexOf(rowNumber);
    if (index === -1) return undefined;
    const { start, end } = this.#plan.tailRange(index);
    const tail = await new TailWindow(this.#blobs, this.#parts.slices).read(start, end);
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

  async read(start: number, end: number): Promise<Uint8Array> {
    if (start < this.#from || end > this.#from + this.#bytes.length) await this.#move(start, end);
    return this.#bytes.subarray(start - this.#from, end - this.#from);
  }

  /** A tail never spans two slices, so one blob holds what is asked for. */
  async #move(start: number, end: number): Promise<void> {
    const slice = this.#slices.find((candidate) => start >= candidate.start && end <= candidate.end);
    if (slice === undefined) throw new Error(`bug: no slice holds tail bytes ${start}–${end}`);
    const until = Math.min(slice.end, Math.max(end, start + WINDOW_BYTES));
    this.#bytes = await this.#blobs.readAll(slice.blob, {
      start: start - slice.start,
      end: until - slice.start,
    });
    this.#from = start;
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}
