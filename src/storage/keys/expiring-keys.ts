import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

/** A live key that expires soon and has no successor. */
export interface ExpiringKey {
  readonly id: string;
  readonly surface: string;
  readonly name: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly partner_id: string | null;
  readonly warehouses: string[] | null;
  readonly expires_at: Date;
}

const COLUMNS = sql`k.id, k.surface, k.name, k.account_id, a.name as account_name, k.partner_id, k.warehouses, k.expires_at`;
const ENDING = sql`k.revoked_at is null and k.replaced_by is null and a.active`;

/** Lists keys that expire within `days`, soonest first. */
export async function listExpiringKeys(
  db: Db,
  now: Date,
  days: number,
  limit: number,
): Promise<ExpiringKey[]> {
  const { rows } = await sql<ExpiringKey>`
    select ${COLUMNS} from api_keys k join accounts a on a.id = k.account_id
    where ${ENDING} and k.expires_at > ${now} and k.expires_at <= ${now}::timestamptz + ${days} * interval '24 hours'
    order by k.expires_at, k.id limit ${limit}`.execute(db);
  return rows;
}

/** Counts the keys that expire within each number of days, by surface. */
export async function countExpiringKeys(
  db: Db,
  now: Date,
  days: readonly number[],
): Promise<{ readonly surface: string; readonly days: number; readonly count: number }[]> {
  const { rows } = await sql<{ surface: string; days: number; count: number }>`
    select k.surface, d.days, count(*)::int as count
    from api_keys k join accounts a on a.id = k.account_id cross join unnest(${days}::int[]) d(days)
    where ${ENDING} and k.expires_at > ${now} and k.expires_at <= ${now}::timestamptz + d.days * interval '24 hours'
    group by k.surface, d.days`.execute(db);
  return rows;
}

/**
 * Returns the keys that have crossed one of these numbers of days since the last call, each with the lowest number
 * crossed. The update claims the row, so only one node warns.
 */
export async function claimExpiryWarnings(
  tx: Tx,
  now: Date,
  days: readonly number[],
): Promise<(ExpiringKey & { readonly days: number })[]> {
  const { rows } = await sql<ExpiringKey & { days: number }>`
    update api_keys k set warned_days = w.days
    from accounts a, (
      select e.id, min(d.days) as days from api_keys e cross join unnest(${days}::int[]) d(days)
      where e.expires_at > ${now} and e.expires_at <= ${now}::timestamptz + d.days * interval '24 hours'
      group by e.id) w
    where k.id = w.id and a.id = k.account_id and ${ENDING} and (k.warned_days is null or k.warned_days > w.days)
    returning ${COLUMNS}, w.days`.execute(tx);
  return rows;
}
