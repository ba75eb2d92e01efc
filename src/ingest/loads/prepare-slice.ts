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
  /** Packed outcomes for the usual case of a first load, in which every item is new. */
  readonly asNew: Buffer;
}

/** Reads, validates and orders a slice: all of its work that needs no database. */
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

/** The next slice is queued by the commit of the one before: who has not come by now will not come, or has time. */
const KEPT_MS = 10_000;

interface Ready {
  readonly start: number;
  readonly prepared: Promise<PreparedSlice>;
  readonly timer: NodeJS.Timeout;
}

/**
 * Prepares the slice after the one being written. The slices of a load run one after the other; without this
 * the processor would wait for the database and the database for the processor. Holds one slice per load, and not for
 * long: another node may be the one to take it, or the load may have ended.
 */
export class Lookahead {
  readonly #parts: Pick<IngestKindParts, 'blobs' | 'ids'>;
  readonly #ready = new Map<string, Ready>();

  constructor(parts: Pick<IngestKindParts, 'blobs' | 'ids'>) {
    this.#parts = parts;
  }

  begin(jobId: string, input: LoadInput, slice: Slice): void {
    this.#forget(jobId);
    const prepared = prepareSlice(this.#parts, input, slice);
    prepared.catch(() => this.#forget(jobId)); // Whoever needs it prepares it again and sees the error.
    const timer = setTimeout(() => this.#forget(jobId), KEPT_MS).unref();
    this.#ready.set(jobId, { start: slice.start, prepared, timer });
  }

  take(jobId: string, input: LoadInput, slice: Slice): Promise<PreparedSlice> {
    const ready = this.#ready.get(jobId);
    this.#forget(jobId);
    return ready?.start === slice.start ? ready.prepared : prepareSlice(this.#parts, input, slice);
  }

  #forget(jobId: string): void {
    clearTimeout(this.#ready.get(jobId)?.timer);
    this.#ready.delete(jobId);
  }
}
