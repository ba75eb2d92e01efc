import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { Operators } from '../db-types.ts';
import { isLive, type SessionBounds } from './sessions.ts';

export type OperatorRecord = Selectable<Operators>;

/** What a person may do; `accountId` is null for roles without an account. */
export interface RoleRecord {
  readonly role: string;
  readonly accountId: string | null;
}

export async function insertOperator(
  tx: Tx,
  operator: RoleRecord & { readonly id: string; readonly name: string; readonly now: Date },
): Promise<void> {
  const { id, name, role, accountId, now } = operator;
  await tx
    .insertInto('operators')
    .values({ id, name, role, account_id: accountId, created_at: now })
    .execute();
}

/**
 * Locks the table, so that sign-ins and removals run one after another. Take it before a lock on links, or the two can
 * deadlock.
 */
export const lockOperators = (tx: Tx) => sql`lock table operators in share row exclusive mode`.execute(tx);

/** Finds the person who signed in first, has not been removed and has the role operator. */
export function findFirstOperator(tx: Tx): Promise<OperatorRecord | undefined> {
  return tx
    .selectFrom('operators')
    .selectAll()
    .where('removed_at', 'is', null)
    .where('role', '=', 'operator')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Reports whether anyone has ever signed in: signing in creates operators, and removed ones keep their row. */
export async function hasAnyOperator(db: Db): Promise<boolean> {
  const found = await db.selectFrom('operators').select('id').limit(1).executeTakeFirst();
  return found !== undefined;
}

/** Finds operators by id or name. Names need not be unique. */
export function findOperatorsNamed(db: Db, nameOrId: string): Promise<OperatorRecord[]> {
  return db
    .selectFrom('operators')
    .selectAll()
    .where('removed_at', 'is', null)
    .where((operator) =>
      operator.or([operator('name', '=', nameOrId), sql<boolean>`id::text = lower(${nameOrId})`]),
    )
    .orderBy('created_at')
    .execute();
}

/** Finds the names of operators, of removed ones too. */
export async function findOperatorNames(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('operators').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface ListedOperator {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly account_id: string | null;
  readonly account_name: string | null;
  readonly created_at: Date;
  readonly last_seen_at: Date | null;
  readonly sessions: number;
}

export async function listOperators(db: Db, bounds: SessionBounds): Promise<ListedOperator[]> {
  const { rows } = await sql<ListedOperator>`
    select o.id, o.name, o.role, o.account_id, a.name as account_name, o.created_at, o.last_seen_at,
           count(s.token_hash)::int as sessions
    from operators o left join accounts a on a.id = o.account_id
    left join operator_sessions s on s.operator_id = o.id and ${isLive(bounds)}
    where o.removed_at is null group by o.id, a.name order by o.created_at, o.id`.execute(db);
  return rows;
}

/** Finds an operator that has not been removed. Removals wait until the transaction ends. */
export function holdOperator(tx: Tx, id: string): Promise<OperatorRecord | undefined> {
  return tx
    .selectFrom('operators')
    .selectAll()
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst();
}

/**
 * Removes an operator, its sessions and passkeys, and the unused links it created or that are for it. Does not remove the
 * last operator.
 */
export async function removeOperator(tx: Tx, id: string, now: Date): Promise<'removed' | 'unknown' | 'last'> {
  const { found, isLast } = await lockPerson(tx, id);
  if (!found) return 'unknown';
  if (isLast) return 'last';
  await tx.updateTable('operators').set({ removed_at: now }).where('id', '=', id).execute();
  await tx.deleteFrom('operator_sessions').where('operator_id', '=', id).execute();
  await tx.deleteFrom('passkeys').where('operator_id', '=', id).execute();
  await tx
    .deleteFrom('sign_in_links')
    .where((link) => link.or([link('invited_by', '=', id), link('operator_id', '=', id)]))
    .where('used_at', 'is', null)
    .execute();
  return 'removed';
}

/**
 * Gives a person another role. The unused links that the person created are deleted, because only operators can create links. The
 * last operator keeps the role.
 */
export async function changeRole(
  tx: Tx,
  id: string,
  { role, accountId }: RoleRecord,
): Promise<'changed' | 'unknown' | 'last'> {
  const { found, isLast } = await lockPerson(tx, id);
  if (!found) return 'unknown';
  if (isLast && role !== 'operator') return 'last';
  await tx.updateTable('operators').set({ role, account_id: accountId }).where('id', '=', id).execute();
  if (role !== 'operator')
    await tx.deleteFrom('sign_in_links').where('invited_by', '=', id).where('used_at', 'is', null).execute();
  return 'changed';
}

/**
 * Locks all people and reports whether this one exists and is the last operator. The lock does not block entries of the audit log,
 * whose foreign key locks the person while they hold the head of the chain that the caller takes next.
 */
async function lockPerson(
  tx: Tx,
  id: string,
): Promise<{ readonly found: boolean; readonly isLast: boolean }> {
  await lockOperators(tx);
  const { rows: present } = await sql<{ id: string; role: string }>`
    select id, role from operators where removed_at is null order by id for no key update`.execute(tx);
  const operators = present.filter(({ role }) => role === 'operator');
  return {
    found: present.some((person) => person.id === id),
    isLast: operators.length === 1 && operators[0]?.id === id,
  };
}
