import { sql } from 'kysely';
import type { Db } from './database.ts';

export interface OpenJobs {
  readonly kind: string;
  readonly state: string;
  readonly count: number;
}

export async function countOpenJobs(db: Db): Promise<OpenJobs[]> {
  const { rows } = await sql<OpenJobs>`
    select kind, state, count(*)::int as count from jobs
    where state in ('queued', 'processing') group by kind, state`.execute(db);
  return rows;
}

export async function countPendingWebhooks(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_deliveries where state = 'pending'`.execute(db);
  return rows[0]?.count ?? 0;
}

export interface QueueMeasure {
  readonly queue: string;
  readonly depth: number;
  /** How long the oldest entry has been due, in seconds. */
  readonly ageSeconds: number;
}

/** Measures entries that could run now (pg-boss 12: states `created` and `retry` whose start time has passed). */
export async function measureQueues(db: Db, now: Date): Promise<QueueMeasure[]> {
  const { rows } = await sql<QueueMeasure>`
    select name as queue, count(*)::int as depth,
      greatest(0, extract(epoch from ${now}::timestamptz - min(start_after)))::float8 as "ageSeconds"
    from pgboss.job where state in ('created', 'retry') and start_after <= ${now} group by name`.execute(db);
  return rows;
}

export interface DatabaseMeasure {
  readonly version: string;
  readonly size_bytes: number;
  readonly connections: number;
  readonly max_connections: number;
  readonly blob_count: number;
  readonly blob_bytes: number;
}

export async function measureDatabase(db: Db): Promise<DatabaseMeasure> {
  const { rows } = await sql<DatabaseMeasure>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database()) as size_bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as max_connections,
      stored.count as blob_count, stored.bytes as blob_bytes
    from (select count(*), coalesce(sum(size_bytes), 0)::int8 as bytes from blobs) stored`.execute(db);
  const [measure] = rows;
  if (measure === undefined) throw new Error('bug: the measurement returned no row');
  return measure;
}
