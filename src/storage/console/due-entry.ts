import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db, Tx } from '../database.ts';
import { hasAction, insertAction, type NewAction } from './audit.ts';

/** The audit entry of a change that a person makes through a surface. */
export interface DueEntry {
  readonly action: NewAction;
  written: boolean;
}

/**
 * The entry that the running request owes. Surfaces serve keys and people with the same code, so the entry travels with the
 * request instead of with every call; code that commits a change calls `writeDueEntry`.
 */
const due = new AsyncLocalStorage<DueEntry>();

/** Calls `next` as part of a request whose change owes this entry. */
export const withDueEntry = (entry: DueEntry, next: () => void): void => due.run(entry, next);

/** Whether a change of the running request must commit with its entry. */
export function owesEntry(): boolean {
  const entry = due.getStore();
  return entry !== undefined && !entry.written;
}

/**
 * Writes the entry of the running request, if it owes one, in the transaction of its change. Must be the last statement of the
 * transaction: if it fails, the change is rolled back.
 */
export async function writeDueEntry(tx: Tx, details?: NewAction['details']): Promise<void> {
  const entry = due.getStore();
  if (entry === undefined || entry.written) return;
  await insertAction(tx, details === undefined ? entry.action : { ...entry.action, details });
  entry.written = true;
}

/** Runs a change in a transaction of its own, with the entry that the running request owes. */
export function withEntry<T>(db: Db, change: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    const result = await change(tx);
    await writeDueEntry(tx);
    return result;
  });
}

/** Ends the entry with its request, so that background work that the request started cannot write it. */
export const closeDueEntry = (entry: DueEntry): void => {
  entry.written = true;
};

/** Writes the entry of a request that changed nothing, such as a replay, unless a transaction has committed it. */
export async function settleDueEntry(db: Db, entry: DueEntry, details: NewAction['details']): Promise<void> {
  const { action, written } = entry;
  closeDueEntry(entry);
  if (written && (await hasAction(db, action.id))) return;
  await insertAction(db, { ...action, details });
}
