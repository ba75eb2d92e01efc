import { setImmediate as breathe } from 'node:timers/promises';
import { encodeForCopy } from '../../storage/ingest/stage-items.ts';
import type { PayloadSlice } from '../batch/payload-slice.ts';
import { readSlice } from '../batch/read-slice.ts';
import { getCollection } from '../collections/registry.ts';
import type { LoadParts } from '../ingest-parts.ts';
import { reportAsNew } from '../pipeline/apply-batch.ts';
import {
  type PreparedBatch,
  type PreparedItem,
  prepareItems,
  type RejectedItem,
} from '../pipeline/prepare-items.ts';
import { idSequence } from '../public-id.ts';
import type { LoadInput } from './load-input.ts';
import { packResults } from './slice-lines.ts';

export interface PreparedSlice {
  readonly batch: PreparedBatch;
  readonly rows: Buffer;
  /** Packed results for the usual case of a first load, in which every item is new. */
  readonly asNew: Buffer;
}

/** So many items take about a millisecond; between them other requests of this process get their turn. */
const PORTION = 500;

/** Reads, validates and encodes a slice: all of its work that needs no database. */
export async function prepareSlice(
  parts: Pick<LoadParts, 'blobs' | 'ids'>,
  input: LoadInput,
  slice: PayloadSlice,
): Promise<PreparedSlice> {
  const { start, end } = slice;
  const bytes =
    slice.oversized === true ? Buffer.alloc(0) : await parts.blobs.readAll(input.payload, { start, end });
  const read = readSlice(input.format, slice, bytes);
  const definition = getCollection(input.collection);
  const nextId = idSequence(parts.ids);
  const items: PreparedItem[] = [];
  const rejected: RejectedItem[] = [];
  for (let from = 0; from < read.length; from += PORTION) {
    const portion = prepareItems(definition, read.slice(from, from + PORTION), nextId, from);
    items.push(...portion.items);
    rejected.push(...portion.rejected);
    await breathe();
  }
  const rows = encodeForCopy(inKeyOrder(items));
  await breathe();
  const batch = { size: read.length, items, rejected };
  return { batch, rows, asNew: packResults(reportAsNew(definition, batch)) };
}

/** The merge writes in key order; what is sorted already, the database sorts for next to nothing. */
function inKeyOrder(items: readonly PreparedItem[]): PreparedItem[] {
  return [...items].sort((a, b) => (a.sourceId < b.sourceId ? -1 : a.sourceId > b.sourceId ? 1 : 0));
}

/**
 * Prepares the slice after the one being written. The slices of a load run one after the other; without this
 * the processor would wait for the database and the database for the processor. Holds one slice per load.
 */
export class Lookahead {
  readonly #parts: Pick<LoadParts, 'blobs' | 'ids'>;
  readonly #ready = new Map<string, { readonly start: number; readonly prepared: Promise<PreparedSlice> }>();

  constructor(parts: Pick<LoadParts, 'blobs' | 'ids'>) {
    this.#parts = parts;
  }

  begin(jobId: string, input: LoadInput, slice: PayloadSlice): void {
    const prepared = prepareSlice(this.#parts, input, slice);
    prepared.catch(() => this.#ready.delete(jobId)); // Whoever needs it prepares it again and sees the error.
    this.#ready.set(jobId, { start: slice.start, prepared });
  }

  take(jobId: string, input: LoadInput, slice: PayloadSlice): Promise<PreparedSlice> {
    const ready = this.#ready.get(jobId);
    this.#ready.delete(jobId);
    return ready?.start === slice.start ? ready.prepared : prepareSlice(this.#parts, input, slice);
  }
}
