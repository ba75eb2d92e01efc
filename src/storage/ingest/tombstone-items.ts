import { sql } from 'kysely';
import type { Tx } from '../database.ts';
import type { CollectionOf } from './items.ts';

/** Remembers what a running refresh has met, with the slice that met it. */
export async function markSeen(tx: Tx, jobId: string, sourceIds: readonly string[]): Promise<void> {
  if (sourceIds.length === 0) return;
  await sql`
    insert into ingest_seen (job_id, source_id)
    select ${jobId}, id from unnest(${sourceIds}::text[]) id order by id collate "C"
    on conflict do nothing`.execute(tx);
}

export interface Refresh extends CollectionOf {
  readonly correlationId: string;
  /** Of one warehouse: only what was last written for it. Null: the partner's whole collection. */
  readonly warehouseId: string | null;
  /** Items changed at or after it are newer than the refresh and stay. */
  readonly acceptedAt: Date;
  readonly now: Date;
}

/**
 * Makes everything that the refresh did not name inactive, in key order; returns how many.
 *
 * Both sides may have grown from nothing within the last seconds, before the server has counted them: a plan
 * that believes in a handful of rows walks one side whole for every row of the other, and a refresh of some
 * ten thousand items takes minutes. Nested loops are therefore not for this statement; a hash of either side is.
 */
export async function tombstoneUnseen(
  tx: Tx,
  refresh: Refresh,
  seen: { readonly jobId: string } | { readonly sourceIds: readonly string[] },
): Promise<number> {
  const isSeen =
    'jobId' in seen
      ? sql`exists (select from ingest_seen s where s.job_id = ${seen.jobId} and s.source_id = i.source_id)`
      : sql`exists (select from unnest(${seen.sourceIds}::text[]) s (source_id) where s.source_id = i.source_id)`;
  const inScope = refresh.warehouseId === null ? sql`` : sql`and i.warehouse_id = ${refresh.warehouseId}`;
  await sql`set local enable_nestloop = off`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    with gone as (
      select i.source_id from ingest_items i
      where i.partner_no = ${refresh.partnerNo} and i.collection = ${refresh.collection} and i.active
        and i.changed_at < ${refresh.acceptedAt} and not ${isSeen} ${inScope}
      order by i.source_id for update),
    ended as (
      update ingest_items t set active = false, change = t.change + 1, correlation_id = ${refresh.correlationId},
             warehouse_id = ${refresh.warehouseId}, changed_at = ${refresh.now}
      from gone where t.partner_no = ${refresh.partnerNo} and t.collection = ${refresh.collection}
                  and t.source_id = gone.source_id
      returning 1)
    select count(*)::int as count from ended`.execute(tx);
  await sql`set local enable_nestloop to default`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** The end of a refresh: its count is kept, what it has met is forgotten. */
export async function endRefresh(tx: Tx, jobId: string, tombstoned: number | null): Promise<void> {
  await tx.updateTable('ingest_loads').set({ tombstoned }).where('job_id', '=', jobId).execute();
  await tx.deleteFrom('ingest_seen').where('job_id', '=', jobId).execute();
}
