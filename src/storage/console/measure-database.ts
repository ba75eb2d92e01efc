import { sql } from 'kysely';
import type { Db } from '../database.ts';

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
      (select count(*) from blobs) as blob_count,
      (select coalesce(sum(size_bytes), 0)::int8 from blobs) as blob_bytes`.execute(db);
  const [measure] = rows;
  if (measure === undefined) throw new Error('bug: a measure without a row');
  return measure;
}
