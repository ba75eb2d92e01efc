import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';

/** A subscriber as the API shows it, with tags. */
export interface SubscriberRecord {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly status: string;
  readonly country: string | null;
  readonly subscribed_at: Date;
  readonly last_opened_at: Date | null;
  readonly custom_fields: Record<string, unknown>;
  readonly sequence_ids: string[];
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly tags: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Columns to select from `subscribers s`. `offset 0` keeps the planner from swapping the two steps: right after a large
 * import it expects a thousand tags per subscriber and would scan all tags for each one.
 */
export const subscriberColumns: RawBuilder<unknown> = sql`
  s.id, s.email, s.name, s.status, s.country, s.subscribed_at, s.last_opened_at, s.custom_fields, s.sequence_ids,
  s.created_at, s.updated_at,
  coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) order by t.name_key)
            from subscriber_tags st cross join lateral (select * from tags where id = st.tag_id offset 0) t
            where st.subscriber_id = s.id), '[]') as tags`;

/** The end of a page: lists are ordered by creation, newest first, then by id. */
export interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

/** Selects subscribers of an account. */
export interface Selection {
  readonly query?: string | undefined;
  readonly email?: string | undefined;
  readonly status?: string | undefined;
  readonly coldOnly?: boolean | undefined;
  readonly tagIds?: readonly string[] | undefined;
  /** How a subscriber must match `tagIds`; the default is `any`. */
  readonly tagMatch?: TagMatch | undefined;
}

export type TagMatch = 'any' | 'all' | 'none';

/** Cold: active, subscribed more than 90 days ago, and not opened in the last 90 days. */
const COLD_MS = 90 * 86_400_000;

/** Returns the SQL condition on `subscribers s`. */
export function selected(accountId: string, selection: Selection, now: Date): RawBuilder<boolean> {
  const conditions = [sql`s.account_id = ${accountId}`];
  const { query, email, status, coldOnly, tagIds = [], tagMatch = 'any' } = selection;
  if (query !== undefined && query.trim() !== '') {
    const pattern = `%${query
      .trim()
      .toLowerCase()
      .replace(/[\\%_]/g, '\\$&')}%`;
    conditions.push(sql`(s.email_key like ${pattern} or lower(s.name) like ${pattern})`);
  }
  if (email !== undefined) conditions.push(sql`s.email_key = ${email.trim().toLowerCase()}`);
  if (status !== undefined) conditions.push(sql`s.status = ${status}`);
  if (coldOnly === true) {
    const since = new Date(now.getTime() - COLD_MS);
    conditions.push(
      sql`s.status = 'Active' and s.subscribed_at < ${since} and (s.last_opened_at is null or s.last_opened_at < ${since})`,
    );
  }
  if (tagIds.length > 0) {
    const wanted = [...new Set(tagIds)];
    const had = sql`from subscriber_tags st where st.subscriber_id = s.id and st.tag_id = any(${wanted}::uuid[])`;
    if (tagMatch === 'all') conditions.push(sql`(select count(*) ${had}) = ${wanted.length}`);
    else conditions.push(tagMatch === 'any' ? sql`exists (select ${had})` : sql`not exists (select ${had})`);
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** Returns the newest first, with one row more than `limit` if there is a next page. */
export async function listSubscribers(
  db: Db,
  accountId: string,
  selection: Selection,
  page: { readonly limit: number; readonly after: Position | undefined },
  now: Date,
): Promise<SubscriberRecord[]> {
  const { after } = page;
  const beyond =
    after === undefined ? sql`true` : sql`(s.created_at, s.id) < (${after.createdAt}, ${after.id})`;
  const { rows } = await sql<SubscriberRecord>`
    select ${subscriberColumns} from subscribers s
    where ${selected(accountId, selection, now)} and ${beyond}
    order by s.created_at desc, s.id desc limit ${page.limit + 1}`.execute(db);
  return rows;
}

export async function findSubscriber(
  db: Db,
  accountId: string,
  id: string,
): Promise<SubscriberRecord | undefined> {
  const { rows } = await sql<SubscriberRecord>`
    select ${subscriberColumns} from subscribers s where s.id = ${id} and s.account_id = ${accountId}`.execute(
    db,
  );
  return rows[0];
}

/** Small enough that a batch is garbage before the next one arrives, so memory stays flat. */
const BATCH = 500;

/** The subscribers from just after `after` to `last`, newest first. Without one of them, the range is open at that end. */
export interface SubscriberRange {
  readonly after?: SubscriberKey;
  readonly last?: SubscriberKey;
}

/** The exact time as PostgreSQL writes it: a Date would lose microseconds. */
export interface SubscriberKey {
  readonly createdAt: string;
  readonly id: string;
}

/**
 * Divides all subscribers of an account into ranges of `size`, newest first. The ranges cover every subscriber, even those
 * who are added later: the first range is open above, the last one below.
 */
export async function rangesOfSubscribers(
  db: Db,
  accountId: string,
  size: number,
): Promise<SubscriberRange[]> {
  const ranges: SubscriberRange[] = [];
  let start: Pick<SubscriberRange, 'after'> = {};
  for (;;) {
    // Each step reads `size` entries of the index, so no statement takes long, however many subscribers there are.
    const { rows } = await sql<SubscriberKey>`
      select s.created_at::text as "createdAt", s.id from subscribers s
      where s.account_id = ${accountId} and ${isIn(start)}
      order by s.created_at desc, s.id desc offset ${size - 1} limit 1`.execute(db);
    const [last] = rows;
    ranges.push({ ...start, ...(last && { last }) });
    if (last === undefined) return ranges;
    start = { after: last };
  }
}

function isIn({ after, last }: SubscriberRange): RawBuilder<boolean> {
  const start = after && sql`(s.created_at, s.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`;
  const end = last && sql`(s.created_at, s.id) >= (${last.createdAt}::timestamptz, ${last.id}::uuid)`;
  return sql<boolean>`${start ?? sql`true`} and ${end ?? sql`true`}`;
}

/**
 * Streams the subscribers of a selection, newest first, as of one moment: a cursor in a read-only transaction keeps its
 * snapshot however long the reading takes, with one batch in memory.
 */
export async function* streamSubscribers(
  db: Db,
  accountId: string,
  selection: Selection,
  now: Date,
  range: SubscriberRange = {},
): AsyncGenerator<readonly SubscriberRecord[]> {
  const tx = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    // A cursor takes parameters only when it is declared.
    await sql`
      declare people no scroll cursor for
      select ${subscriberColumns} from subscribers s where ${selected(accountId, selection, now)} and ${isIn(range)}
      order by s.created_at desc, s.id desc`.execute(tx);
    for (;;) {
      const { rows } =
        await sql<SubscriberRecord>`fetch forward ${sql.raw(String(BATCH))} from people`.execute(tx);
      if (rows.length === 0) break;
      yield rows;
      if (rows.length < BATCH) break;
    }
  } finally {
    await tx.rollback().execute();
  }
}
