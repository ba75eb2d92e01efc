import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';
import type { JobState } from './jobs.ts';

export interface FoundRequestKey {
  readonly account_id: string;
  readonly account_name: string;
  readonly scope: string;
  readonly key: string;
  readonly body_parts: Readonly<Record<string, unknown>> | null;
  readonly job_id: string | null;
  readonly job_kind: string | null;
  readonly job_state: JobState | null;
  readonly first_request_id: string | null;
  readonly response_status: number | null;
  readonly response_type: string | null;
  readonly claimed_at: Date;
  readonly expires_at: Date;
}

export interface RequestKeyFilter {
  readonly key: string;
  readonly surface: string | undefined;
  readonly accountId: string | undefined;
  readonly now: Date;
}

/**
 * Finds the requests that hold a key, in all accounts unless one is given. The index is ordered by account and
 * operation before the key, so the query first finds the few (account, operation) pairs with a loose index scan and
 * then looks up the key in each.
 */
export async function findRequestKeys(db: Db, filter: RequestKeyFilter): Promise<FoundRequestKey[]> {
  const { surface, accountId } = filter;
  const conditions: RawBuilder<unknown>[] = [sql`k.expires_at > ${filter.now}`];
  if (surface !== undefined) conditions.push(sql`k.scope ~ ${`^${surface}[.:]`}`);
  if (accountId !== undefined) conditions.push(sql`k.account_id = ${accountId}`);
  const { rows } = await sql<FoundRequestKey>`
    with recursive places as (
      (select account_id, scope from request_keys order by account_id, scope limit 1)
      union all
      select n.account_id, n.scope from places p cross join lateral (
        select account_id, scope from request_keys r where (r.account_id, r.scope) > (p.account_id, p.scope)
        order by account_id, scope limit 1) n)
    select k.account_id, a.name as account_name, k.scope, k.key, k.body_parts, k.job_id, j.kind as job_kind,
      j.state as job_state, j.request_id as first_request_id, k.response_status, k.response_type, k.claimed_at, k.expires_at
    from places p
    join request_keys k on k.account_id = p.account_id and k.scope = p.scope and k.key = ${filter.key}
    join accounts a on a.id = k.account_id left join jobs j on j.id = k.job_id
    where ${sql.join(conditions, sql` and `)}
    order by k.claimed_at desc limit 100`.execute(db);
  return rows;
}

export interface NewConflict {
  readonly id: string;
  readonly accountId: string;
  readonly surface: string;
  readonly key: string;
  readonly requestId: string;
  readonly differsIn: readonly string[];
  readonly at: Date;
  readonly expiresAt: Date;
}

const KEPT_PER_KEY = 20;

/** Records a conflict and deletes the oldest of the same key beyond `KEPT_PER_KEY`. */
export async function insertConflict(db: Db, conflict: NewConflict): Promise<void> {
  const { accountId, surface, key } = conflict;
  await sql`
    insert into request_key_conflicts (id, account_id, surface, key, request_id, differs_in, at, expires_at)
    values (${conflict.id}, ${accountId}, ${surface}, ${key}, ${conflict.requestId}, ${conflict.differsIn},
            ${conflict.at}, ${conflict.expiresAt})`.execute(db);
  await sql`
    delete from request_key_conflicts where account_id = ${accountId} and surface = ${surface} and key = ${key}
      and id not in (select id from request_key_conflicts
                     where account_id = ${accountId} and surface = ${surface} and key = ${key}
                     order by id desc limit ${KEPT_PER_KEY})`.execute(db);
}

export interface ConflictRecord {
  readonly account_name: string;
  readonly surface: string;
  readonly key: string;
  readonly request_id: string;
  readonly differs_in: string[];
  readonly at: Date;
}

/** Lists the conflicts of a key or of a request, newest first. */
export async function listConflicts(
  db: Db,
  filter: { readonly key?: string; readonly requestId?: string; readonly accountId?: string | undefined },
): Promise<ConflictRecord[]> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (filter.key !== undefined) conditions.push(sql`c.key = ${filter.key}`);
  if (filter.requestId !== undefined) conditions.push(sql`c.request_id = ${filter.requestId}`);
  if (filter.accountId !== undefined) conditions.push(sql`c.account_id = ${filter.accountId}`);
  const { rows } = await sql<ConflictRecord>`
    select a.name as account_name, c.surface, c.key, c.request_id, c.differs_in, c.at
    from request_key_conflicts c join accounts a on a.id = c.account_id
    where ${sql.join(conditions, sql` and `)} order by c.id desc limit 100`.execute(db);
  return rows;
}
