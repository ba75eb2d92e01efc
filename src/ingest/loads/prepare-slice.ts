import { setImmediate as breathe } from 'node:timers/promises';
import { isUnread, type Slice } from '#lib/records/slice.ts';
import { readInTurns } from '../batch/read-in-turns.ts';
import { getCollection } from '../collections/registry.ts';
import type { IngestKindParts } from '../parts.ts';
import { areDistinct, inKeyOrder } from '../pipeline/key-order.ts';
import { prepareInTurns } from '../pipeline/prepare-in-turns.ts';
import type { PreparedBatch, PreparedItem } from '../pipeline/prepare-items.ts';
import { idSequence } from '../public-id.ts';
import type { LoadInput } from './load-input.ts';
import { packAsNew } from './packed-outcomes.ts';

export interface PreparedSlice {
  readonly batch: PreparedBatch;
  readonly ordered: readonly PreparedItem[];
  readonly distinct: boolean;
  /** Packed outcomes for a first load, in which every item is usually new. */
  readonly asNew: Buffer;
}

/** Reads, validates and orders a slice: all work that needs no database. */
export async function prepareSlice(
  parts: Pick<IngestKindParts, 'blobs' | 'ids'>,
  input: LoadInput,
  slice: Slice,
): Promise<PreparedSlice> {
  const { start, end } = slice;
  const bytes = isUnread(slice) ? Buffer.alloc(0) : await parts.blobs.readAll(input.payload, { start, end });
  const read = await readInTurns(input.format, slice, bytes);
  const definition = getCollection(input.collection);
  const nextId = idSequence(parts.ids);
  const batch = await prepareInTurns(definition, read, nextId);
  const ordered = inKeyOrder(batch.items);
  await breathe();
  return { batch, ordered, distinct: areDistinct(ordered), asNew: packAsNew(batch) };
}

/**
 * The commit of a slice queues the next one, so a slice not taken within this time was taken by another node or can be
 * prepared again.
 */
const KEPT_MS = 10_000;

/** Maximum number of loads whose first slice is prepared while they are accepted. Many small loads may arrive at once. */
const MAX_EARLY = 4;

interface Ready {
  readonly start: number;
  readonly prepared: Promise<PreparedSlice>;
  readonly timer: NodeJS.Timeout;
}

/**
 * Prepares the next slice while the current one is written. The slices of a load run in sequence; without this,
 * processor and database would wait for each other. Holds one slice per load for a limited time, because another node
 * may run the slice or the load may have ended.
 */
export class Lookahead {
  readonly #parts: Pick<IngestKindParts, 'blobs' | 'ids'>;
  readonly #ready = new Map<string, Ready>();
  #runsSlices = false;

  constructor(parts: Pick<IngestKindParts, 'blobs' | 'ids'>) {
    this.#parts = parts;
  }

  /**
   * Prepares the first slice of a load while the load is accepted. Does nothing in a process that has run no slice yet,
   * because another one may run all of them.
   */
  beginEarly(jobId: string, input: LoadInput, slice: Slice): void {
    if (this.#runsSlices && this.#ready.size < MAX_EARLY) this.begin(jobId, input, slice);
  }

  begin(jobId: string, input: LoadInput, slice: Slice): void {
    this.#forget(jobId);
    const prepared = prepareSlice(this.#parts, input, slice);
    prepared.catch(() => this.#forget(jobId)); // The consumer prepares it again and receives the error.
    const timer = setTimeout(() => this.#forget(jobId), KEPT_MS).unref();
    this.#ready.set(jobId, { start: slice.start, prepared, timer });
  }

  take(jobId: string, input: LoadInput, slice: Slice): Promise<PreparedSlice> {
    this.#runsSlices = true;
    const ready = this.#ready.get(jobId);
    this.#forget(jobId);
    return ready?.start === slice.start ? ready.prepared : prepareSlice(this.#parts, input, slice);
  }

  #forget(jobId: string): void {
    clearTimeout(this.#ready.get(jobId)?.timer);
    this.#ready.delete(jobId);
  }
}
