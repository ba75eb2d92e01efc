import type pg from 'pg';

/** A client's observations: the keys it sent and the jobs named in the responses. */
export interface ClientLog {
  readonly acknowledged: { readonly key: string; readonly jobId: string }[];
  /** Terminal states as first observed; they must never change. */
  readonly ended: Map<string, string>;
}

export const newClientLog = (): ClientLog => ({ acknowledged: [], ended: new Map() });

/**
 * Checks in the database the invariants that hold after every fault. Returns a description of each violation; an
 * empty list means that all hold. I5 (artifacts), I8 (ingest), I9 and I10 (HTTP, logs) are checked in the surfaces'
 * own suites.
 */
export async function brokenInvariants(pool: pg.Pool, log: ClientLog): Promise<string[]> {
  const broken: string[] = [];
  const rows = async (text: string, values: unknown[] = []) =>
    (await pool.query<Record<string, unknown>>(text, values)).rows;

  for (const { key, jobId } of log.acknowledged) {
    const [job] = await rows('select state, settled_at from jobs where id = $1', [jobId]);
    if (job === undefined) broken.push(`I1: acknowledged job ${jobId} (key ${key}) is gone`);
    else if (job.settled_at === null)
      broken.push(`I1: acknowledged job ${jobId} (key ${key}) has not ended: ${job.state}`);
  }
  for (const job of await rows(
    'select request_key, count(*) as n from jobs where request_key is not null group by account_id, kind, request_key having count(*) > 1',
  ))
    broken.push(`I2: key ${job.request_key} stands for ${job.n} jobs`);
  for (const [jobId, seen] of log.ended) {
    const [job] = await rows(
      "select concat_ws('|', state, settled_at, outcome, error_code) as now from jobs where id = $1",
      [jobId],
    );
    if (job?.now !== seen) broken.push(`I3: job ${jobId} was ${seen} and is ${job?.now}`);
  }
  const ledger = await rows(`
    select j.id, j.state, j.rows_total, l.reserved_rows, l.billed_rows, j.reused_from
    from jobs j left join quota_ledger l on l.job_id = j.id where j.settled_at is not null`);
  for (const job of ledger) {
    const owed = job.state === 'completed' && job.reused_from === null ? job.rows_total : 0;
    if (Number(job.billed_rows) !== Number(owed))
      broken.push(`I4: job ${job.id} (${job.state}) is billed ${job.billed_rows}, not ${owed}`);
  }
  for (const balance of await rows(`
    select b.account_id from quota_balances b
    join (select account_id, period, coalesce(sum(billed_rows) filter (where beside_balance is null), 0) as billed, sum(reserved_rows) filter (where settled_at is null and limited) as reserved
          from quota_ledger group by 1, 2) l using (account_id, period)
    where b.billed_rows <> l.billed or b.reserved_rows <> coalesce(l.reserved, 0)`))
    broken.push(`I4: the balance of account ${balance.account_id} is not the sum of its ledger`);
  for (const event of await rows(
    'select job_id, count(*) as n from events where job_id is not null group by 1 having count(*) > 1',
  ))
    broken.push(`I6: job ${event.job_id} has ${event.n} events`);
  for (const delivery of await rows(`
    select d.id from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id
    where a.status between 200 and 299 group by d.id having count(*) > 1`))
    broken.push(`I6: delivery ${delivery.id} was sent again after a recorded 2xx`);
  for (const orphan of await rows(
    'select s.job_id from slices s left join jobs j on j.id = s.job_id where j.id is null',
  ))
    broken.push(`I7: a slice of the missing job ${orphan.job_id}`);
  for (const open of await rows(
    "select j.id from jobs j join slices s on s.job_id = j.id where j.state = 'completed' and s.state <> 'done'",
  ))
    broken.push(`I5: completed job ${open.id} has a slice that is not done`);
  return broken;
}

/** Records the terminal state of a job for later comparison (I3). */
export async function noteEnded(pool: pg.Pool, log: ClientLog, jobId: string): Promise<void> {
  const { rows } = await pool.query<{ seen: string; settled_at: Date | null }>(
    "select concat_ws('|', state, settled_at, outcome, error_code) as seen, settled_at from jobs where id = $1",
    [jobId],
  );
  const [job] = rows;
  if (job !== undefined && job.settled_at !== null) log.ended.set(jobId, job.seen);
}
