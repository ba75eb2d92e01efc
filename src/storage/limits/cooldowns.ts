import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { Cooldowns } from '../db-types.ts';
import { everyColumn, prepared } from '../prepared-statements.ts';

export type CooldownRecord = Selectable<Cooldowns>;

const columns = sql.raw(
  everyColumn<Cooldowns>({
    account_id: true,
    consecutive_failed: true,
    kind: true,
    level: true,
    ratio_until: true,
    refused_at: true,
    repeated_until: true,
  })(),
);

export async function findCooldown(
  db: Db,
  accountId: string,
  kind: string,
): Promise<CooldownRecord | undefined> {
  const { rows } = await sql<CooldownRecord>`${prepared}
    select ${columns} from cooldowns where account_id = ${accountId}::uuid and kind = ${kind}::text`.execute(
    db,
  );
  return rows[0];
}

/** Locks the account's failure record and creates it if it is missing, so that settlements are counted one by one. */
export async function lockCooldown(tx: Tx, accountId: string, kind: string): Promise<CooldownRecord> {
  const { rows } = await sql<CooldownRecord>`
    insert into cooldowns (account_id, kind) values (${accountId}, ${kind})
    on conflict (account_id, kind) do update set level = cooldowns.level
    returning *`.execute(tx);
  const [record] = rows;
  if (record === undefined) throw new Error('bug: an upsert returned no row');
  return record;
}

export async function saveCooldown(tx: Tx, { account_id, kind, ...record }: CooldownRecord): Promise<void> {
  await tx
    .updateTable('cooldowns')
    .set(record)
    .where('account_id', '=', account_id)
    .where('kind', '=', kind)
    .execute();
}

export interface SettledCount {
  readonly failed: number;
  /** At most `2 * failed + enough`: a higher count could not change the result, so no more rows are read. */
  readonly settled: number;
}

/** Counts jobs that settled after `since` and were not cancelled. */
export async function countSettled(
  db: Db,
  accountId: string,
  kind: string,
  since: Date,
  enough: number,
): Promise<SettledCount> {
  const { rows } = await sql<SettledCount>`
    with failures as (
      select count(*)::int as failed from jobs
      where account_id = ${accountId} and kind = ${kind} and settled_at > ${since}
        and state = 'failed' and not cancelled)
    select failed, (
      select count(*)::int from (
        select from jobs
        where account_id = ${accountId} and kind = ${kind} and settled_at > ${since} and not cancelled
        limit 2 * failed + ${enough}) s) as settled
    from failures`.execute(db);
  const [count] = rows;
  if (count === undefined) throw new Error('bug: a count returned no row');
  return count;
}
