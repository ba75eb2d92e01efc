import { setImmediate as breathe } from 'node:timers/promises';
import type { CollectionDefinition } from '../collections/definition.ts';
import {
  type PreparedBatch,
  type PreparedItem,
  prepareItems,
  type ReadItem,
  type RejectedItem,
} from './prepare-items.ts';

/** Between so many items, the rows being sent and other requests get their turn. */
const PORTION = 200;

/** Prepares all items like `prepareItems`, in portions. */
export async function prepareInTurns(
  definition: CollectionDefinition,
  read: readonly ReadItem[],
  nextId: () => string,
): Promise<PreparedBatch> {
  if (read.length <= PORTION) return prepareItems(definition, read, nextId);
  const items: PreparedItem[] = [];
  const rejected: RejectedItem[] = [];
  for (let from = 0; from < read.length; from += PORTION) {
    const portion = prepareItems(definition, read.slice(from, from + PORTION), nextId, from);
    items.push(...portion.items);
    rejected.push(...portion.rejected);
    await breathe();
  }
  return { size: read.length, items, rejected };
}
