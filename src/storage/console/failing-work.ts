import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** Counts stop here, so that the health page stays cheap however much has failed. */
export const COUNT_CAP = 1000;
/** Maximum number of settled jobs among which the share of failed ones is counted. */
const SETTLED_CAP = 2000;
/** Single failed jobs are normal: rows can be wrong. From this share on, something else is. */
const FREQUENT_SHARE = 0.1;

export interface FailingDeliveries {
  /** Deliveries whose last attempt failed and that are attempted again. */
  readonly failing: number;
  readonly failing_since: Date | null;
  /** Deliveries given up since the start of the period, unless a later delivery of the event succeeded. */
  readonly given_up: number;
  readonly last_given_up_at: Date | null;
}

/** Counts failing deliveries, and those given up since then. Both counts stop at `COUNT_CAP`. */
export async function measureFailingDeliveries(db: Db, since: Date): Promise<FailingDeliveries> {
  const { rows } = await sql<FailingDeliveries>`
    with failing as (
      select first_failed_at from webhook_deliveries
      where state = 'pending' and first_failed_at is not null
      order by first_failed_at limit ${COUNT_CAP}),
    given_up as (
      select event_id, target_url, given_up_at, created_at from webhook_deliveries
      where given_up_at >= ${since} order by given_up_at desc limit ${COUNT_CAP}),
    lost as (
      select given_up_at from given_up g where not exists (
        select from webhook_deliveries later
        where later.event_id = g.event_id and later.target_url = g.target_url and later.state = 'delivered'
          and later.created_at >= g.created_at))
    select (select count(*)::int from failing) as failing,
      (select min(first_failed_at) from failing) as failing_since,
      (select count(*)::int from lost) as given_up,
      (select max(given_up_at) from lost) as last_given_up_at`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('bug: the measurement returned no row');
  return found;
}

export interface FailedJobs {
  readonly surface: string;
  /** Failed jobs since the start of the period, without cancelled ones; stops at `COUNT_CAP` over all surfaces. */
  readonly failed: number;
  /** Jobs that settled in the period, among the newest ones, and how many of these failed. */
  readonly recent: { readonly settled: number; readonly failed: number };
  /** At least a tenth of these failed. */
  readonly is_frequent: boolean;
  /** The most frequent first. */
  readonly codes: readonly { readonly code: string; readonly count: number }[];
}

interface CodeCount {
  readonly surface: string;
  readonly code: string;
  readonly count: number;
}

interface RecentCount {
  readonly surface: string;
  readonly settled: number;
  readonly failed: number;
}

/** Lists the surfaces with jobs that failed since then, by name. */
export async function measureFailedJobs(db: Db, since: Date): Promise<FailedJobs[]> {
  const { rows: codes } = await sql<CodeCount>`
    select split_part(kind, '.', 1) as surface, coalesce(error_code, '') as code, count(*)::int as count
    from (select kind, error_code from jobs where state = 'failed' and not cancelled and settled_at >= ${since}
          order by settled_at desc limit ${COUNT_CAP}) failed
    group by 1, 2 order by 1, count(*) desc, 2`.execute(db);
  if (codes.length === 0) return [];
  const { rows: recent } = await sql<RecentCount>`
    select split_part(kind, '.', 1) as surface, count(*)::int as settled,
      (count(*) filter (where state = 'failed' and not cancelled))::int as failed
    from (select kind, state, cancelled from jobs where settled_at >= ${since}
          order by settled_at desc limit ${SETTLED_CAP}) settled
    group by 1`.execute(db);
  return [...new Set(codes.map(({ surface }) => surface))].map((surface) => {
    const own = codes.filter((code) => code.surface === surface);
    const { settled = 0, failed = 0 } = recent.find((counted) => counted.surface === surface) ?? {};
    return {
      surface,
      failed: own.reduce((sum, { count }) => sum + count, 0),
      recent: { settled, failed },
      is_frequent: failed > 0 && failed >= settled * FREQUENT_SHARE,
      codes: own.map(({ code, count }) => ({ code, count })),
    };
  });
}

export interface WaitingJobs {
  /** Jobs of which no slice has started; stops at `COUNT_CAP`. */
  readonly count: number;
  readonly oldest_at: Date | null;
}

export async function measureWaitingJobs(db: Db): Promise<WaitingJobs> {
  const { rows } = await sql<WaitingJobs>`
    select count(*)::int as count, min(created_at) as oldest_at
    from (select created_at from jobs where state = 'queued' order by created_at limit ${COUNT_CAP}) waiting`.execute(
    db,
  );
  return rows[0] ?? { count: 0, oldest_at: null };
}
