import { sql } from 'kysely';
import { CHAIN_START, type ChainedEntry, type ChainLink, hashEntry } from '#lib/audit/audit-entry.ts';
import type { Db, Tx } from '../database.ts';
import { json } from '../json.ts';

const BATCH = 500;

/** Yields the entries in chain order, read in batches. `after` is the checkpoint or the start of the chain. */
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
  /** The last entry that retention deleted, or the start of the chain. */
  readonly checkpoint: ChainLink;
  /** The last written entry, or undefined if there is none. */
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

/** Runs `work` on a snapshot, so that neither new entries nor retention affect it. */
export function withChainSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}

/**
 * Deletes entries from the start of the chain up to the first one that is not older than `before`. The hash of the last
 * deleted entry stays as the checkpoint that the first remaining entry refers to.
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

export interface NewAction {
  readonly id: string;
  readonly operatorId: string;
  readonly action: string;
  readonly accountId: string | null;
  readonly target: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly requestId: string;
  readonly at: Date;
}

interface Head {
  readonly seq: number;
  readonly hash: Buffer;
  readonly operator_name: string;
  readonly account_name: string | null;
}

/**
 * Appends an entry to the audit chain. Concurrent writers wait for the lock on the head, so in a transaction this is the last
 * statement: the lock is short, and no other lock is taken after it.
 */
export function insertAction(db: Db | Tx, action: NewAction): Promise<void> {
  const insert = (tx: Tx) => insertInto(tx, action);
  return isTx(db) ? insert(db) : db.transaction().execute(insert);
}

export async function hasAction(db: Db, id: string): Promise<boolean> {
  const found = await db.selectFrom('operator_actions').select('id').where('id', '=', id).executeTakeFirst();
  return found !== undefined;
}

const isTx = (db: Db | Tx): db is Tx => db.isTransaction;

async function insertInto(tx: Tx, action: NewAction): Promise<void> {
  const head = (await lockHead(tx, action)) ?? (await makeHead(tx, action));
  const seq = head.seq + 1;
  // Replaces what UTF-8 cannot store before hashing, so that the stored entry matches its hash.
  const target = action.target?.toWellFormed() ?? null;
  const details: unknown = JSON.parse(JSON.stringify(action.details).toWellFormed());
  const hash = hashEntry({
    seq,
    id: action.id,
    at: action.at.toISOString(),
    operator: { id: action.operatorId, name: head.operator_name },
    action: action.action,
    account: action.accountId === null ? null : { id: action.accountId, name: head.account_name },
    target,
    details,
    request_id: action.requestId,
    previous_hash: head.hash.toString('hex'),
  });
  await tx
    .insertInto('operator_actions')
    .values({
      id: action.id,
      seq,
      operator_id: action.operatorId,
      operator_name: head.operator_name,
      action: action.action,
      account_id: action.accountId,
      account_name: head.account_name,
      target,
      details: details === null ? null : json(details),
      request_id: action.requestId,
      at: action.at,
      hash: Buffer.from(hash, 'hex'),
    })
    .execute();
  await tx
    .updateTable('audit_marks')
    .set({ seq, hash: Buffer.from(hash, 'hex') })
    .where('kind', '=', 'head')
    .execute();
}

async function lockHead(tx: Tx, { operatorId, accountId }: NewAction): Promise<Head | undefined> {
  const { rows } = await sql<Head>`
    select h.seq, h.hash, (select name from operators where id = ${operatorId}) as operator_name,
           (select name from accounts where id = ${accountId}) as account_name
    from audit_marks h where h.kind = 'head' for update`.execute(tx);
  return rows[0];
}

/** Creates the head for the very first entry. A concurrent writer waits here and then finds it. */
async function makeHead(tx: Tx, action: NewAction): Promise<Head> {
  const start = { kind: 'head', seq: CHAIN_START.seq, hash: Buffer.from(CHAIN_START.hash, 'hex') };
  await tx
    .insertInto('audit_marks')
    .values(start)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const head = await lockHead(tx, action);
  if (head === undefined) throw new Error('bug: the audit chain has no head');
  return head;
}

export interface ListedAction {
  readonly id: string;
  readonly seq: number;
  readonly operator_id: string;
  readonly operator_name: string;
  readonly action: string;
  readonly account_id: string | null;
  readonly account_name: string | null;
  readonly target: string | null;
  readonly details: unknown;
  readonly request_id: string;
  readonly at: Date;
  readonly hash: Buffer;
}

/** Returns the newest first, one more than the limit. */
export function listActions(
  db: Db,
  page: ActionFilter & { readonly before: number | undefined; readonly limit: number },
): Promise<ListedAction[]> {
  const { before, operatorId, action, from, to } = page;
  let newest = db.selectFrom('operator_actions').selectAll().orderBy('seq', 'desc');
  if (before !== undefined) newest = newest.where('seq', '<', before);
  if (operatorId !== undefined) newest = newest.where('operator_id', '=', operatorId);
  if (action !== undefined) newest = newest.where(sql<boolean>`starts_with(action, ${action})`);
  if (from !== undefined) newest = newest.where('at', '>=', from);
  if (to !== undefined) newest = newest.where('at', '<', to);
  return newest.limit(page.limit + 1).execute();
}

/** Undefined members add no condition. */
export interface ActionFilter {
  readonly operatorId?: string | undefined;
  /** An action, or its beginning, such as `key.`. */
  readonly action?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Returns entries in chain order. */
export function listActionsAfter(db: Db | Tx, seq: number, limit: number): Promise<ListedAction[]> {
  return db
    .selectFrom('operator_actions')
    .selectAll()
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}
