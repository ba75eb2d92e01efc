import { type Insertable, sql } from 'kysely';
import { CONDEMNED } from '../blob-records.ts';
import type { Db } from '../database.ts';
import type { Jobs } from '../db-types.ts';
import { json } from '../json.ts';
import { prepared } from '../prepared-statements.ts';
import { laneOfSql } from '../queue/lanes.ts';
import type { RequestKeyClaim } from '../request-keys.ts';
import { MAX_COUNTED_JOBS } from './slice-results.ts';

export interface NewSlice {
  readonly input: unknown;
  readonly rows: number;
}

export type NewJob = Omit<Insertable<Jobs>, 'input' | 'outcome'> & {
  readonly input: unknown;
  readonly outcome?: unknown;
};

export async function insertJob(db: Db, job: NewJob): Promise<void> {
  await db
    .insertInto('jobs')
    .values({ ...job, input: json(job.input), outcome: json(job.outcome ?? null) })
    .execute();
}

export interface AcceptedRows {
  /** Undefined: every request creates a new job. */
  readonly claim: RequestKeyClaim | undefined;
  readonly job: {
    readonly id: string;
    readonly account_id: string;
    readonly kind: string;
    /** As JSON text. */
    readonly input: string;
    readonly ordered: boolean;
    readonly fail_limit: number | null;
    readonly slices_total: number;
    readonly rows_total: number;
    readonly request_id: string | null;
    readonly work_digest: Buffer | null;
    readonly created_at: Date;
  };
  readonly slices: readonly NewSlice[];
  readonly ledger: { readonly period: string; readonly rows: number; readonly limited: boolean } | undefined;
  readonly blobs: readonly string[];
  /** Insert nothing if an artifact of the same work can be delivered again. */
  readonly unlessReusable: boolean;
}

/** `taken`: another request holds the key. `gone`: a blob was swept. In all cases but the first, nothing was inserted. */
export type InsertOutcome = 'accepted' | 'taken' | 'gone' | 'reusable';

/** The parameter of the statement. Binary values and JSON columns are text: PostgreSQL rejects some of JSON's escapes. */
function toMember({ claim, job, slices, ledger, blobs, unlessReusable }: AcceptedRows) {
  return {
    ...job,
    work_digest: job.work_digest?.toString('hex'),
    slices: JSON.stringify(slices),
    blobs: [...new Set(blobs)],
    unless_reusable: unlessReusable,
    ...(claim !== undefined && {
      scope: claim.scope,
      key: claim.key,
      body_digest: claim.bodyDigest?.toString('hex'),
      body_parts: claim.bodyParts === null ? null : JSON.stringify(claim.bodyParts),
      response_status: claim.response?.status,
      response_type: claim.response?.type,
      response_body: claim.response?.body.toString('base64'),
      expires_at: claim.expiresAt,
    }),
    ...(ledger !== undefined && {
      period: ledger.period,
      reserved_rows: ledger.rows,
      limited: ledger.limited,
    }),
  };
}

/** Counts the slices before each job of the group: all of them, and those of the same account. */
function toMembers(group: readonly AcceptedRows[]) {
  const ofAccount = new Map<string, number>();
  let before = 0;
  return group.map((rows) => {
    const { account_id: accountId, slices_total: slices } = rows.job;
    const ahead = ofAccount.get(accountId) ?? 0;
    ofAccount.set(accountId, ahead + slices);
    before += slices;
    return { ...toMember(rows), ahead, before: before - slices };
  });
}

/**
 * Inserts everything that belongs to new jobs in one statement: request keys, jobs, slices, ledger rows, blob references
 * and the queue entries of the slices. Each job is inserted completely or not at all, whatever happens to the others of the group.
 *
 * A key that another transaction is claiming makes the statement wait. If that takes longer than `maxLockMs`, the statement
 * is rolled back (SQLSTATE 55P03). Keys are claimed in one order, so two groups cannot deadlock. No two members may have the
 * same key. Blob records are locked against the sweeper until the commit. Queue entries have the columns that pg-boss's
 * insert writes. Subqueries per member instead of joins: a plan by outdated statistics would read whole tables. A job without slices gets no queue entry.
 */
export async function insertAccepted(
  db: Db,
  group: readonly AcceptedRows[],
  maxLockMs: number | null = null,
): Promise<ReadonlyMap<string, InsertOutcome>> {
  const blobs = [...new Set(group.flatMap((rows) => rows.blobs))];
  const { rows } = await sql<{ id: string; outcome: InsertOutcome }>`${prepared}
    with patience as materialized (
      select set_config('lock_timeout', coalesce(${maxLockMs}::int4::text, current_setting('lock_timeout')), true)),
    held as materialized (
      select digest from blobs where digest = any(${blobs}::text[]) and last_put_at > ${CONDEMNED}
      order by digest for key share),
    asked as materialized (
      select id, account_id, kind, input, ordered, fail_limit, slices, slices_total, rows_total, scope, key, request_id,
        decode(work_digest, 'hex') as work_digest, created_at, body_digest, body_parts, response_status, response_type,
        response_body, expires_at, blobs, period, reserved_rows, limited, ahead, before, case
          when key is not null and (
            select true from request_keys k where k.account_id = member.account_id and k.scope = member.scope
              and k.key = member.key and k.expires_at > member.created_at) then 'taken'
          when not blobs <@ array(select digest from held) then 'gone'
          when unless_reusable and exists (
            select from jobs j join artifacts a on a.job_id = j.id
            where j.account_id = member.account_id and j.work_digest = decode(member.work_digest, 'hex')
              and j.state = 'completed' and a.purged_at is null and a.purge_at > member.created_at
              and exists (select from deliveries d where d.artifact_id = a.id and d.expires_at > member.created_at))
            then 'reusable' end as problem
      from patience, json_to_recordset(${JSON.stringify(toMembers(group))}::json) as member (
        id uuid, account_id uuid, kind text, input text, ordered bool, fail_limit int8, slices text, slices_total int4,
        rows_total int8, scope text, key text, request_id text, work_digest text, unless_reusable bool,
        created_at timestamptz, body_digest text, body_parts text, response_status int4, response_type text,
        response_body text, expires_at timestamptz, blobs text[], period text, reserved_rows int8, limited bool,
        ahead int4, before int4)),
    claimed as (
      insert into request_keys (account_id, scope, key, body_digest, body_parts, job_id,
                                response_status, response_type, response_body, claimed_at, expires_at)
      select account_id, scope, key, decode(body_digest, 'hex'), body_parts::jsonb, id,
             response_status, response_type, decode(response_body, 'base64'), created_at, expires_at
      from asked where key is not null and problem is null
      order by account_id, scope, key
      on conflict (account_id, scope, key) do update set
        body_digest = excluded.body_digest, body_parts = excluded.body_parts, job_id = excluded.job_id,
        response_status = excluded.response_status, response_type = excluded.response_type,
        response_body = excluded.response_body, claimed_at = excluded.claimed_at, expires_at = excluded.expires_at
      where request_keys.expires_at <= excluded.claimed_at
      returning job_id),
    fresh as materialized (
      select id, account_id, kind, input, ordered, fail_limit, slices, slices_total, rows_total, key, request_id,
        work_digest, created_at, blobs, period, reserved_rows, limited, ahead, before
      from asked where problem is null and (key is null or id in (select job_id from claimed))),
    made as (
      insert into jobs (id, account_id, kind, state, input, ordered, fail_limit, slices_total, rows_total,
                        request_key, request_id, work_digest, created_at)
      select id, account_id, kind, 'queued', input::json, ordered, fail_limit, slices_total, rows_total,
             key, request_id, work_digest, created_at from fresh),
    cut as (
      insert into slices (job_id, n, state, input, rows_total)
      select fresh.id, (s.ordinality - 1)::int, 'open', s.value->'input', (s.value->>'rows')::int
      from fresh, json_array_elements(fresh.slices::json) with ordinality s),
    paid as (
      insert into quota_ledger (job_id, account_id, period, reserved_rows, limited, created_at)
      select id, account_id, period, reserved_rows, limited, created_at from fresh where period is not null),
    linked as (
      insert into blob_refs (digest, job_id, role) select unnest(blobs), id, 'input' from fresh),
    waiting as materialized (
      select account_id, (
        select coalesce(sum(open), 0)::int8 from (
          select slices_total - slices_done as open from jobs
          where jobs.account_id = account.account_id and settled_at is null limit ${sql.lit(MAX_COUNTED_JOBS)}) w) as open
      from (select distinct account_id from fresh) account),
    queued as (
      insert into pgboss.job_common (name, data, priority, start_after, created_on, singleton_key, expire_seconds,
        deletion_seconds, keep_until, retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter,
        heartbeat_seconds)
      select q.name, jsonb_build_object('jobId', fresh.id, 'n', n), ${sql.raw(laneOfSql('waiting.open + ahead + n'))},
        pgboss.job_now() + (before + n) * interval '1 microsecond', pgboss.job_now(), fresh.id || ':' || n,
        q.expire_seconds, q.deletion_seconds,
        pgboss.job_now() + (before + n) * interval '1 microsecond' + q.retention_seconds * interval '1s',
        q.retry_limit, q.retry_delay, q.retry_backoff, q.retry_delay_max, q.policy, q.dead_letter, q.heartbeat_seconds
      from fresh join waiting using (account_id)
        cross join generate_series(0, case when ordered and slices_total > 0 then 0 else slices_total - 1 end) n
        cross join pgboss.queue q
      where q.name = 'slice')
    select id, case when id in (select id from fresh) then 'accepted' else coalesce(problem, 'taken') end as outcome
    from asked`.execute(db);
  return new Map(rows.map(({ id, outcome }) => [id, outcome]));
}
