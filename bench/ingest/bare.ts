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
      source_version bigint, item jsonb not null, primary key (partner_no, collection, source_id));
    create table ${table}_history (
      partner_no int not null, collection smallint not null, source_id text collate "C" not null,
      source_version bigint, item jsonb not null,
      primary key (partner_no, collection, source_id, source_version))`);
}

/** Copies each batch to a temporary table and applies it, in one transaction per batch. */
async function eachStaged(
  client: pg.ClientBase,
  batches: Buffer[],
  apply: () => Promise<unknown>,
): Promise<void> {
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
    await apply();
    await client.query('commit');
  }
}

export async function bareCopyMerge(client: pg.ClientBase, table: string, batches: Buffer[]): Promise<void> {
  await eachStaged(client, batches, () =>
    client.query(
      `insert into ${table} as t select 1, 3, source_id, source_version, item from bare_stage order by source_id ${GUARD}`,
    ),
  );
}

/** Updates stored rows whose version is lower, and first copies them to the history. The table must be analyzed. */
export async function bareCopyUpdate(client: pg.ClientBase, table: string, batches: Buffer[]): Promise<void> {
  const isNewer =
    't.partner_no = 1 and t.collection = 3 and t.source_id = s.source_id and s.source_version > t.source_version';
  await eachStaged(client, batches, async () => {
    await client.query(
      `insert into ${table}_history select t.* from ${table} t join bare_stage s on ${isNewer}`,
    );
    await client.query(
      `update ${table} t set source_version = s.source_version, item = s.item from bare_stage s where ${isNewer}`,
    );
  });
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
