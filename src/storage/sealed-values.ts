import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * A place in the database that holds values sealed with the installation secret. A rotation reseals every place, so add
 * new ones to `sealedPlaces`; `sealed-values.test.ts` compares the list with the schema.
 */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  /** SQL condition for the rows that have a sealed value. */
  readonly where: string;
  /** Set for a `json` column, which holds the value as base64 at this path. A `bytea` column holds the value itself. */
  readonly jsonPath?: readonly string[];
  /** The key of the installation secret that sealed the value. */
  readonly purpose: 'webhook' | 'data-key';
}

/** Media type of a stored response that is sealed because it contains a secret. A replay opens it first. */
export const SEALED_RESPONSE_TYPE = 'application/vnd.rowpress.sealed+json';

const webhook = { purpose: 'webhook' } as const;

export const sealedPlaces: readonly SealedPlace[] = [
  { ...webhook, table: 'webhook_deliveries', column: 'secrets', where: 'true' },
  { ...webhook, table: 'webhook_subscriptions', column: 'secret', where: 'true' },
  { ...webhook, table: 'webhook_subscriptions', column: 'old_secret', where: 'old_secret is not null' },
  { ...webhook, table: 'ingest_webhooks', column: 'secret', where: 'true' },
  { ...webhook, table: 'ingest_webhooks', column: 'old_secret', where: 'old_secret is not null' },
  {
    ...webhook,
    table: 'request_keys',
    column: 'response_body',
    where: `response_type = '${SEALED_RESPONSE_TYPE}' and response_body is not null`,
  },
  {
    ...webhook,
    table: 'jobs',
    column: 'input',
    where: `kind = 'bulkfill.export' and input #>> '{delivery,secrets}' is not null`,
    jsonPath: ['delivery', 'secrets'],
  },
  { purpose: 'data-key', table: 'data_keys', column: 'sealed', where: 'true' },
];

/** Pages of 8 KiB that one transaction reads. Small, so that nothing waits long for a locked row. */
const PAGES_AT_ONCE = 256;

interface Found {
  readonly at: string;
  readonly box: Buffer;
}

/**
 * Reseals the values of a place that do not begin with `prefix` and returns how many. The table is read in ranges of
 * pages, each in its own transaction. A row that the server updates meanwhile can move to a page that was already read,
 * so callers must repeat this until it returns 0.
 */
export async function resealPlace(
  db: Db,
  place: SealedPlace,
  prefix: Buffer,
  reseal: (box: Buffer) => Buffer,
): Promise<number> {
  let count = 0;
  for (let page = 0; page < (await pagesOf(db, place)); page += PAGES_AT_ONCE) {
    count += await db.transaction().execute(async (tx) => {
      const found = await findOthers(tx, place, prefix, page);
      for (const { at, box } of found) await replaceValue(tx, place, at, box, reseal(box));
      return found.length;
    });
  }
  return count;
}

/** Counts the values that each key sealed. Values in the format without a key id count under the empty string. */
export async function countByKey(db: Db, place: SealedPlace): Promise<Map<string, number>> {
  const value = sealedValue(place);
  const { rows } = await sql<{ key_id: string; n: number }>`
    select case when substring(${value} from 1 for 1) = '\\x02' then encode(substring(${value} from 2 for 8), 'hex')
      else '' end as key_id, count(*)::int as n
    from ${sql.table(place.table)} where ${sql.raw(place.where)} group by 1`.execute(db);
  return new Map(rows.map(({ key_id, n }) => [key_id, n]));
}

async function pagesOf(db: Db, { table }: SealedPlace): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select (pg_relation_size(${table}::regclass) / current_setting('block_size')::int)::int as pages`.execute(
    db,
  );
  return rows[0]?.pages ?? 0;
}

async function findOthers(tx: Db, place: SealedPlace, prefix: Buffer, page: number): Promise<Found[]> {
  const value = sealedValue(place);
  const { rows } = await sql<Found>`
    select ctid::text as at, ${value} as box from ${sql.table(place.table)}
    where ctid >= ${`(${page},0)`}::tid and ctid < ${`(${page + PAGES_AT_ONCE},0)`}::tid
      and ${sql.raw(place.where)} and substring(${value} from 1 for ${prefix.length}) <> ${prefix}
    for update`.execute(tx);
  return rows;
}

async function replaceValue(
  tx: Db,
  place: SealedPlace,
  at: string,
  before: Buffer,
  after: Buffer,
): Promise<void> {
  const column = sql.ref(place.column);
  // Replaces the text instead of the parsed value, because `json` keeps the order of its members.
  const changed =
    place.jsonPath === undefined
      ? sql`${after}`
      : sql`replace(${column}::text, ${before.toString('base64')}, ${after.toString('base64')})::json`;
  await sql`update ${sql.table(place.table)} set ${column} = ${changed} where ctid = ${at}::tid`.execute(tx);
}

function sealedValue({ column, jsonPath }: SealedPlace) {
  if (jsonPath === undefined) return sql.ref(column);
  return sql`decode(${sql.ref(column)} #>> ${`{${jsonPath.join(',')}}`}::text[], 'base64')`;
}
