/** A run of items inside a payload, by bytes: what a worker reads back without reading the rest. */
export interface PayloadSlice {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly items: number;
  /** Number of the first line, from 1 (NDJSON). */
  readonly line?: number;
  /** One item beyond the size limit: rejected without being read. */
  readonly oversized?: true;
  /** One item nested deeper than any schema allows: rejected without being read, because parsing one of 1 MiB takes long. */
  readonly tooDeep?: true;
}

/** Whether the one item of this slice is rejected for what it looks like, without its bytes. */
export function isUnread({ oversized, tooDeep }: PayloadSlice): boolean {
  return oversized === true || tooDeep === true;
}

/** Far above what attributes may have (ING16). */
export const MAX_ITEM_DEPTH = 64;

export type PayloadFormat = 'json' | 'ndjson';

export interface SliceLimits {
  readonly maxItems: number;
  readonly maxBytes: number;
  readonly maxItemBytes: number;
}

/**
 * 10,000 items are about a fifth of a second of database work: long enough that the fixed cost of a slice
 * (claim, commit, wake-up) hardly shows, short enough that a killed worker loses little and that a slice in
 * memory, and the one prepared ahead, stay small. An item is small; whoever sends one above a megabyte has
 * put something else into it.
 */
export const SLICE_LIMITS: SliceLimits = {
  maxItems: 10_000,
  maxBytes: 4 * 1024 * 1024,
  maxItemBytes: 1024 * 1024,
};

/** The payload as a whole cannot be read; the request is refused. */
export class UnreadablePayload extends Error {}

/** Finds items in a payload while it arrives; `push` and `end` return the slices that are complete. */
export interface PayloadSplitter {
  push(chunk: Buffer): PayloadSlice[];
  end(): PayloadSlice[];
}

/** Groups items, given by their bytes in order, into slices. */
export class SliceCutter {
  readonly #limits: SliceLimits;
  #start = 0;
  #end = 0;
  #items = 0;
  #line: number | undefined;
  #ready: PayloadSlice[] = [];

  constructor(limits: SliceLimits) {
    this.#limits = limits;
  }

  add(start: number, end: number, line?: number, tooDeep = false): void {
    const { maxItemBytes, maxItems, maxBytes } = this.#limits;
    if (end - start > maxItemBytes || tooDeep) {
      this.cut();
      const mark = end - start > maxItemBytes ? { oversized: true as const } : { tooDeep: true as const };
      this.#ready.push({ start, end, items: 1, ...(line !== undefined && { line }), ...mark });
      return;
    }
    if (this.#items > 0 && end - this.#start > maxBytes) this.cut();
    if (this.#items === 0) {
      this.#start = start;
      this.#line = line;
    }
    this.#end = end;
    this.#items += 1;
    if (this.#items >= maxItems) this.cut();
  }

  cut(): void {
    if (this.#items === 0) return;
    const line = this.#line;
    this.#ready.push({
      start: this.#start,
      end: this.#end,
      items: this.#items,
      ...(line !== undefined && { line }),
    });
    this.#items = 0;
  }

  take(): PayloadSlice[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }
}
