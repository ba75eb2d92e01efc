import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { Operators } from '../db-types.ts';
import { isLive, type SessionBounds } from './sessions.ts';

export type OperatorRecord = Selectable<Operators>;

export async function insertOperator(
  tx: Tx,
  operator: { readonly id: string; readonly name: string; readonly now: Date },
): Promise<void> {
  const { id, name, now } = operator;
  await tx.insertInto('operators').values({ id, name, created_at: now }).execute();
}

/** Makes first sign-ins and removals wait for each other. */
const lockOperators = (tx: Tx) => sql`lock table operators in share row exclusive mode`.execute(tx);

/** The operator who signed in first and has not been removed. */
export async function findFirstOperator(tx: Tx): Promise<OperatorRecord | undefined> {
  await lockOperators(tx);
  return tx
    .selectFrom('operators')
    .selectAll()
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Operators are created by signing in, so one row, removed or not, means that somebody has. */
export async function hasAnyOperator(db: Db): Promise<boolean> {
  const found = await db.selectFrom('operators').select('id').limit(1).executeTakeFirst();
  return found !== undefined;
}

export interface ListedOperator {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly last_seen_at: Date | null;
  readonly sessions: number;
}

export async function listOperators(db: Db, bounds: SessionBounds): Promise<ListedOperator[]> {
  const { rows } = await sql<ListedOperator>`
    select o.id, o.name, o.created_at, max(s.last_seen_at) as last_seen_at, count(s.token_hash)::int as sessions
    from operators o left join operator_sessions s on s.operator_id = o.id and ${isLive(bounds)}
    where o.removed_at is null group by o.id order by o.created_at, o.id`.execute(db);
  return rows;
}

/** Whether the operator may still act. Removals wait until the transaction ends. */
export async function holdOperator(tx: Tx, id: string): Promise<boolean> {
  const found = await tx
    .selectFrom('operators')
    .select('id')
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return found !== undefined;
}

/** Removes an operator with its sessions and the unused links it made; the last operator stays. */
export async function removeOperator(tx: Tx, id: string, now: Date): Promise<'removed' | 'unknown' | 'last'> {
  await lockOperators(tx);
  const { rows: present } = await sql<{ id: string }>`
    select id from operators where removed_at is null order by id for update`.execute(tx);
  if (!present.some((operator) => operator.id === id)) return 'unknown';
  if (present.length === 1) return 'last';
  await tx.updateTable('operators').set({ removed_at: now }).where('id', '=', id).execute();
  await tx.deleteFrom('operator_sessions').where('operator_id', '=', id).execute();
  await tx.deleteFrom('sign_in_links').where('invited_by', '=', id).where('used_at', 'is', null).execute();
  return 'removed';
}
