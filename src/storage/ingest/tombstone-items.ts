import { sql } from 'kysely';
import type { Tx } from '../database.ts';
import type { CollectionOf } from './items.ts';

/** Records the items that a slice of a running refresh contains. */
export async function markSeen(tx: Tx, jobId: string, sourceIds: readonly string[]): Promise<void> {
  if (sourceIds.length === 0) return;
  await sql`
    insert into ingest_seen (job_id, source_id)
    select ${jobId}, id from unnest(${sourceIds}::text[]) id order by id collate "C"
    on conflict do nothing`.execute(tx);
}

export interface Refresh extends CollectionOf {
  readonly correlationId: string;
  /** Limits the refresh to items last written for this warehouse. Null: the partner's whole collection. */
  readonly warehouseId: string | null;
  /** Items changed at or after this time are newer than the refresh and stay. */
  readonly acceptedAt: Date;
  readonly now: Date;
}

/**
 * Deactivates every item that the refresh did not contain, in key order. Returns how many.
 *
 * Both sides may have grown from nothing within seconds, before the server analyzed them. A plan that expects a few
 * rows would scan one whole side for every row of the other, and a refresh of some ten thousand items would take
 * minutes. Nested loops are therefore off for this statement.
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

/** Ends a refresh: stores its count and deletes the list of items it contained. */
export async function endRefresh(tx: Tx, jobId: string, tombstoned: number | null): Promise<void> {
  await tx.updateTable('ingest_loads').set({ tombstoned }).where('job_id', '=', jobId).execute();
  await tx.deleteFrom('ingest_seen').where('job_id', '=', jobId).execute();
}
