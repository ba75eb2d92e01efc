import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface RefusedKey {
  readonly keyId: string;
  readonly address: string;
  readonly reason: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/**
 * Adds rejected uses to their records and keeps the latest `keepPerKey` addresses of each key. Rows are written in key
 * order, so that two nodes cannot deadlock.
 */
export async function addKeyRefusals(
  db: Db,
  refusals: readonly RefusedKey[],
  keepPerKey: number,
): Promise<void> {
  const keyIds = [...new Set(refusals.map(({ keyId }) => keyId))];
  await sql`
    insert into api_key_refusals as r (key_id, address, reason, count, first_at, last_at)
    select s.* from unnest(
      ${refusals.map((r) => r.keyId)}::text[], ${refusals.map((r) => r.address)}::text[],
      ${refusals.map((r) => r.reason)}::text[], ${refusals.map((r) => r.count)}::bigint[],
      ${refusals.map((r) => r.firstAt)}::timestamptz[], ${refusals.map((r) => r.lastAt)}::timestamptz[])
      s(key_id, address, reason, count, first_at, last_at)
    order by s.key_id, s.address
    on conflict (key_id, address) do update set
      count = r.count + excluded.count, reason = excluded.reason, last_at = greatest(r.last_at, excluded.last_at)`.execute(
    db,
  );
  await sql`
    delete from api_key_refusals r using (
      select key_id, address, row_number() over (partition by key_id order by last_at desc, address) as place
      from api_key_refusals where key_id = any(${keyIds}::text[])) old
    where old.place > ${keepPerKey} and r.key_id = old.key_id and r.address = old.address`.execute(db);
}
