import { createHash, type Hash } from 'node:crypto';
import { JsonSplitter } from './json-splitter.ts';
import { LineSplitter } from './line-splitter.ts';
import {
  isUnread,
  type PayloadFormat,
  type PayloadSlice,
  type PayloadSplitter,
  SLICE_LIMITS,
} from './payload-slice.ts';
import { readInTurns } from './read-in-turns.ts';

export class PayloadTooLarge extends Error {}

/**
 * A payload on its way from the socket to where it is kept: counted, hashed, cut into slices and (JSON)
 * checked, one chunk at a time. Holds at most one slice in memory, however large the payload is.
 */
export class ReceivedPayload {
  readonly format: PayloadFormat;
  readonly slices: PayloadSlice[] = [];
  readonly #maxBytes: number;
  readonly #splitter: PayloadSplitter;
  readonly #hash: Hash;
  /** JSON not yet checked, and where it starts. */
  #pending: Buffer[] = [];
  #pendingStart = 0;
  #bytes = 0;

  constructor(format: PayloadFormat, maxBytes: number, hash: Hash = createHash('sha256')) {
    this.format = format;
    this.#maxBytes = maxBytes;
    this.#hash = hash;
    this.#splitter = format === 'json' ? new JsonSplitter(SLICE_LIMITS) : new LineSplitter(SLICE_LIMITS);
  }

  get items(): number {
    return this.slices.reduce((sum, slice) => sum + slice.items, 0);
  }

  get sizeBytes(): number {
    return this.#bytes;
  }

  digest(): string {
    return this.#hash.digest('hex');
  }

  /** Passes the chunks on; throws `PayloadTooLarge` or `UnreadablePayload` as soon as that is certain. */
  async *through(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.#bytes += chunk.length;
      if (this.#bytes > this.#maxBytes) throw new PayloadTooLarge();
      this.#hash.update(chunk);
      await this.#take(chunk, this.#splitter.push(chunk));
      yield chunk;
    }
    await this.#take(undefined, this.#splitter.end());
  }

  async #take(chunk: Buffer | undefined, slices: readonly PayloadSlice[]): Promise<void> {
    this.slices.push(...slices);
    if (this.format === 'ndjson') return;
    if (chunk !== undefined) this.#pending.push(chunk);
    for (const slice of slices) await this.#check(slice);
    this.#forgetBefore(slices.at(-1)?.end ?? 0);
  }

  /** An unreadable document is refused while its sender still listens, not found out by a job later. */
  async #check(slice: PayloadSlice): Promise<void> {
    if (isUnread(slice)) return;
    const bytes = this.#pending.length === 1 ? this.#pending[0] : Buffer.concat(this.#pending);
    const { start, end } = slice;
    await readInTurns(
      'json',
      slice,
      (bytes as Buffer).subarray(start - this.#pendingStart, end - this.#pendingStart),
    );
  }

  /** An element that never ends must not pile up either: beyond two slices it is oversized for certain. */
  #forgetBefore(end: number): void {
    const held = this.#bytes - this.#pendingStart;
    const start = held > 2 * SLICE_LIMITS.maxBytes ? Math.max(end, this.#bytes - SLICE_LIMITS.maxBytes) : end;
    if (start <= this.#pendingStart) return;
    const all = this.#pending.length === 1 ? (this.#pending[0] as Buffer) : Buffer.concat(this.#pending);
    this.#pending = [all.subarray(start - this.#pendingStart)];
    this.#pendingStart = start;
  }
}
