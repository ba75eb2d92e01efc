import { setImmediate as breathe } from 'node:timers/promises';
import type { CollectionDefinition } from '../collections/definition.ts';
import {
  type PreparedBatch,
  type PreparedItem,
  prepareItems,
  type ReadItem,
  type RejectedItem,
} from './prepare-items.ts';

/** Items per turn; between turns, rows are sent and other requests run. */
const PORTION = 200;

/** Prepares all items like `prepareItems`, a portion per turn. */
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
