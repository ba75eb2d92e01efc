import type pg from 'pg';
import { markPrepared } from '../prepared-statements.ts';
import { lanes } from './lanes.ts';

export interface ClaimedEntry {
  readonly id: string;
  readonly retryCount: number;
  readonly data: unknown;
}

/** Positions in the lanes: the microseconds since 1970 from which an entry may run. In the order of `lanes`. */
export type Positions = readonly number[];

export type Heads = readonly (number | null)[];

export interface Claims<Entry = ClaimedEntry> {
  readonly entries: readonly Entry[];
  /** The first entry of each lane before the claim; `now` if the lane has none that may run, null if it was not read. */
  readonly heads: Heads;
  readonly now: number;
}

export interface EntryClaim {
  readonly name: string;
  readonly limit: number;
  /** Entries before these positions are not read. */
  readonly from: Positions;
  /** Claims the entries that wait longest, whatever their lanes. */
  readonly oldestFirst: boolean;
}

/**
 * The number of entries that a claim reads. Those that other claims have locked are skipped, so it is more than the limit: enough
 * beside two other processes that claim as many at the same moment. A worker that finds none in a long queue idles for a second.
 */
const READ = '(3 * $4::int + 16)';

const LANES = `unnest($2::int[], $3::float8[]) with ordinality as lane (priority, since, place)`;
const MICROSECONDS = (at: string) => `(extract(epoch from ${at}) * 1000000)::float8`;
const TIME = (microseconds: string) => `timestamptz 'epoch' + ${microseconds} * interval '1 microsecond'`;

/**
 * The statement of pg-boss's fetch (same states, same columns), with another way to find the entries. An entry that was
 * claimed leaves a dead index entry. While a snapshot is held, nothing can remove it, and a claim that starts at the
 * first index entry of the queue reads all of them: 60,000 after five minutes at 200 a second. Lanes are read from
 * the position where the last claim found live entries instead. Rows are then addressed by `ctid`, because a plan by
 * outdated statistics may read the whole table to find them by id. For the same reason, no index fits the condition that
 * checks their state again. Lanes behind those that have enough entries are not
 * read: an account with many open slices has entries in most lanes. `also` adds effects and columns of its own.
 */
export function claimStatement(also: { with: string; columns: string; join: string }): string {
  return markPrepared(`
  with near as materialized (
    select e.row, e.start_after, lane.place
    from ${LANES} cross join lateral (
      select ctid as row, start_after from pgboss.job_common
      where name = $1 and priority = lane.priority and state < 'active' and not blocked
        and start_after >= ${TIME('lane.since')} and start_after <= pgboss.job_now()
      order by start_after limit ${READ}) e
    limit case when $5::bool then null else ${READ} end),
  next as materialized (
    select ctid as row from pgboss.job_common
    where ctid = any(array(select row from near)) and state::text in ('created', 'retry')
    order by case when $5::bool then 0 else -priority end, start_after limit $4::int for update skip locked),
  claimed as (
    update pgboss.job_common j set state = 'active', started_on = pgboss.job_now(), heartbeat_on = pgboss.job_now(),
      retry_count = case when started_on is not null then retry_count + 1 else retry_count end
    from next where j.ctid = next.row
    returning j.id, j.priority, j.start_after, j.retry_count, j.data)${also.with}
  select
    (select json_agg(coalesce(
       (select ${MICROSECONDS('min(start_after)')} from near where near.place = lane.place),
       case when $5::bool or seen.entries < ${READ} or lane.place < seen.last
         then ${MICROSECONDS('pgboss.job_now()')} end) order by lane.place)
     from ${LANES}, (select count(*) as entries, max(place) as last from near) seen) as heads,
    ${MICROSECONDS('pgboss.job_now()')} as claimed_at,
    claimed.id as entry_id, claimed.retry_count, claimed.data${also.columns}
  from (select) always left join claimed on true${also.join}
  order by -claimed.priority, claimed.start_after`);
}

const CLAIM = claimStatement({ with: '', columns: '', join: '' });

/** A row of a claim. Without a claimed entry there is one row, whose `entry_id` is null. */
export interface ClaimRow {
  readonly heads: Heads;
  readonly claimed_at: number;
  readonly entry_id: string | null;
  readonly retry_count: number;
  readonly data: unknown;
}

export function readClaims<Row extends ClaimRow, Entry>(
  rows: readonly Row[],
  read: (row: Row, entry: ClaimedEntry) => Entry,
): Claims<Entry> {
  const [first] = rows;
  if (first === undefined) throw new Error('bug: a claim returned no row');
  const entries = rows.flatMap((row) => {
    const { entry_id: id, retry_count: retryCount, data } = row;
    return id === null ? [] : [read(row, { id, retryCount, data })];
  });
  return { entries, heads: first.heads, now: first.claimed_at };
}

/** Claims up to `limit` entries, lane by lane, in each the one that waits longest first. */
export async function claimEntries(
  pool: pg.Pool,
  { name, limit, from, oldestFirst }: EntryClaim,
): Promise<Claims> {
  const { rows } = await pool.query<ClaimRow>(CLAIM, [name, lanes, from, limit, oldestFirst]);
  return readClaims(rows, (_row, entry) => entry);
}

const FIND = markPrepared(`
  select lane.place::int as place, ${MICROSECONDS('e.start_after')} as position
  from ${LANES} cross join lateral (
    select start_after from pgboss.job_common
    where name = $1 and priority = lane.priority and state < 'active' and not blocked
      and start_after < ${TIME('lane.since')}
    order by start_after limit 1) e`);

/**
 * Returns the positions with each one moved back to the first live entry before it. An entry can appear behind a
 * position if the transaction that wrote it took long. Reads every dead entry.
 */
export async function findEntriesBehind(pool: pg.Pool, name: string, from: Positions): Promise<Positions> {
  const { rows } = await pool.query<{ place: number; position: number }>(FIND, [name, lanes, from]);
  const found = new Map(rows.map(({ place, position }) => [place - 1, position]));
  return from.map((position, i) => found.get(i) ?? position);
}

const STRAY_BATCH = 1_000;

/** Moves entries with other priorities into the lanes. Nodes of earlier releases write them. */
const MOVE = markPrepared(`
  with stray as (
    select e.id, lane.priority
    from unnest($2::int[], $3::int[]) as lane (priority, below) cross join lateral (
      select id from pgboss.job_common
      where name = $1 and priority < lane.priority and priority > lane.below and state < 'active' and not blocked
      limit ${STRAY_BATCH} for update skip locked) e)
  update pgboss.job_common j set priority = stray.priority from stray where j.name = $1 and j.id = stray.id`);

export async function moveStrayEntries(pool: pg.Pool, name: string): Promise<void> {
  const below = lanes.map((_, i) => lanes[i + 1] ?? -(2 ** 31));
  await pool.query(MOVE, [name, lanes, below]);
}
