import { isUnread, type Slice } from '#lib/records/slice.ts';
import type { Slicer } from '#lib/records/slicer.ts';
import { type PayloadFormat, payloadSlicer, SLICE_LIMITS } from './payload-slice.ts';
import { readInTurns } from './read-in-turns.ts';

export class PayloadTooLarge extends Error {}

/**
 * Counts and slices a payload on its way from the socket to the store, and checks it if it is JSON, unless `checks` is
 * false. Holds at most two slices in memory, however large the payload is.
 */
export class ReceivedPayload {
  readonly format: PayloadFormat;
  readonly slices: Slice[] = [];
  readonly #maxBytes: number;
  readonly #checks: boolean;
  readonly #slicer: Slicer;
  /** JSON not yet checked, and its position. */
  #pending: Buffer[] = [];
  #pendingStart = 0;
  #bytes = 0;

  constructor(
    format: PayloadFormat,
    maxBytes: number,
    { checks = true }: { readonly checks?: boolean } = {},
  ) {
    this.format = format;
    this.#maxBytes = maxBytes;
    this.#checks = checks && format === 'json';
    this.#slicer = payloadSlicer(format);
  }

  get items(): number {
    return this.#slicer.rows;
  }

  get sizeBytes(): number {
    return this.#bytes;
  }

  /** Passes the chunks on. Throws `PayloadTooLarge` or `RecordsRefused` as early as possible. */
  async *through(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.#bytes += chunk.length;
      if (this.#bytes > this.#maxBytes) throw new PayloadTooLarge();
      await this.#take(chunk, this.#slicer.push(chunk));
      yield chunk;
    }
    await this.#take(undefined, this.#slicer.end());
  }

  async #take(chunk: Buffer | undefined, slices: readonly Slice[]): Promise<void> {
    this.slices.push(...slices);
    if (!this.#checks) return;
    if (chunk !== undefined) this.#pending.push(chunk);
    for (const slice of slices) await this.#check(slice);
    this.#forgetBefore(slices.at(-1)?.end ?? 0);
  }

  /** Rejects an unreadable document during the request, so that no job has to fail later. */
  async #check(slice: Slice): Promise<void> {
    if (isUnread(slice)) return;
    const bytes = this.#pending.length === 1 ? this.#pending[0] : Buffer.concat(this.#pending);
    const { start, end } = slice;
    await readInTurns(
      'json',
      slice,
      (bytes as Buffer).subarray(start - this.#pendingStart, end - this.#pendingStart),
    );
  }

  /** Drops checked bytes, and those of an endless element: beyond two slices it is certainly oversized. */
  #forgetBefore(end: number): void {
    const held = this.#bytes - this.#pendingStart;
    const start = held > 2 * SLICE_LIMITS.maxBytes ? Math.max(end, this.#bytes - SLICE_LIMITS.maxBytes) : end;
    if (start <= this.#pendingStart) return;
    const all = this.#pending.length === 1 ? (this.#pending[0] as Buffer) : Buffer.concat(this.#pending);
    this.#pending = [all.subarray(start - this.#pendingStart)];
    this.#pendingStart = start;
  }
}
