import { sql } from 'kysely';
import { CHAIN_START, type ChainedEntry, type ChainLink } from '#lib/audit/audit-entry.ts';
import type { Db, Tx } from '../database.ts';
import { type ListedAction, listActionsAfter } from './operator-actions.ts';

const BATCH = 500;

/** The entries in the order of the chain, read in batches; `after` is the checkpoint or the start of the chain. */
export async function* readChain(db: Db | Tx, after: ChainLink): AsyncGenerator<ChainedEntry> {
  let last = after;
  for (;;) {
    const batch = await listActionsAfter(db, last.seq, BATCH);
    for (const action of batch) {
      const entry = showEntry(action, last.hash);
      yield entry;
      last = entry;
    }
    if (batch.length < BATCH) return;
  }
}

function showEntry(action: ListedAction, previousHash: string): ChainedEntry {
  return {
    seq: action.seq,
    id: action.id,
    at: action.at.toISOString(),
    operator: { id: action.operator_id, name: action.operator_name },
    action: action.action,
    account: action.account_id === null ? null : { id: action.account_id, name: action.account_name },
    target: action.target,
    details: action.details ?? null,
    request_id: action.request_id,
    previous_hash: previousHash,
    hash: action.hash.toString('hex'),
  };
}

export interface ChainMarks {
  /** The last entry that retention has deleted, or the start of the chain. */
  readonly checkpoint: ChainLink;
  /** The last entry that was written. Undefined: none has been. */
  readonly head: ChainLink | undefined;
}

export async function readMarks(db: Db | Tx): Promise<ChainMarks> {
  const marks = await db.selectFrom('audit_marks').selectAll().execute();
  const find = (wanted: string): ChainLink | undefined => {
    const mark = marks.find(({ kind }) => kind === wanted);
    return mark && { seq: mark.seq, hash: mark.hash.toString('hex') };
  };
  return { checkpoint: find('checkpoint') ?? CHAIN_START, head: find('head') };
}

/** Runs `work` on one unchanging view, so that neither new entries nor retention disturb it. */
export function withChainSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}

/**
 * Deletes entries from the beginning of the chain up to the first that is not older than `before`. The hash of the last
 * deleted one stays as the checkpoint that the first remaining entry refers to.
 */
export async function deletePassedActions(db: Db, before: Date): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with kept as (select seq from operator_actions where at >= ${before} order by seq limit 1),
    gone as (
      delete from operator_actions
      where at < ${before} and seq < coalesce((select seq from kept), ${Number.MAX_SAFE_INTEGER}::bigint)
      returning seq, hash),
    mark as (
      insert into audit_marks (kind, seq, hash)
      select 'checkpoint', seq, hash from gone order by seq desc limit 1
      on conflict (kind) do update set seq = excluded.seq, hash = excluded.hash)
    select count(*)::int as deleted from gone`.execute(db);
  return rows[0]?.deleted ?? 0;
}
