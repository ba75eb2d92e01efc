import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/**
 * The baseline of the ingest benchmark: sorted COPY and a merge with the same version guard, rows encoded before the
 * clock starts, 20,000 rows per transaction.
 */
const GUARD = `
  on conflict (partner_no, collection, source_id) do update
    set source_version = excluded.source_version, item = excluded.item
    where excluded.source_version > t.source_version`;

export async function createBareTable(client: pg.ClientBase, table: string): Promise<void> {
  await client.query(`
    create table ${table} (
      partner_no int not null, collection smallint not null, source_id text collate "C" not null,
      source_version bigint, item jsonb not null, primary key (partner_no, collection, source_id))`);
}

export async function bareCopyMerge(client: pg.ClientBase, table: string, batches: Buffer[]): Promise<void> {
  await client.query(
    'create temp table if not exists bare_stage (source_id text collate "C", source_version bigint, item jsonb) on commit delete rows',
  );
  for (const batch of batches) {
    await client.query('begin');
    const stream = client.query(copyFrom('copy bare_stage from stdin'));
    await new Promise<void>((resolve, reject) => {
      stream.on('error', reject).on('finish', resolve);
      stream.end(batch);
    });
    await client.query(
      `insert into ${table} as t select 1, 3, source_id, source_version, item from bare_stage order by source_id ${GUARD}`,
    );
    await client.query('commit');
  }
}

/** Upserts a batch with one statement and prepared parameters. */
export async function bareUpsert(
  client: pg.ClientBase,
  table: string,
  columns: [string[], number[], string[]],
): Promise<void> {
  await client.query(
    `insert into ${table} as t
     select 1, 3, * from unnest($1::text[], $2::bigint[], $3::jsonb[]) s(source_id, v, item) order by source_id ${GUARD}`,
    columns,
  );
}
