import type { JobSummary } from '#storage/console/jobs.ts';
import type { Job } from '../contract/jobs.ts';
import { type AllJobViews, surfaceOf } from '../job-views.ts';

/** A job as lists and the event stream show it. */
export function showJob(job: JobSummary, views: AllJobViews): Job {
  const { warned, found: counted = 0 } = views.outcomeCounts(job.kind, job.outcome);
  const found = job.rows_total === 0 ? counted : 0;
  return {
    id: job.id,
    public_id: views.publicId(job.kind, job.id),
    surface: surfaceOf(job.kind),
    kind: job.kind,
    account: job.account_name,
    state: job.state,
    created_at: job.created_at.toISOString(),
    started_at: job.started_at?.toISOString() ?? null,
    settled_at: job.settled_at?.toISOString() ?? null,
    rows: {
      total: job.rows_total + found,
      done: job.rows_done + found,
      succeeded: job.rows_done + found - job.rows_failed,
      failed: job.rows_failed,
      ...(warned !== undefined && { warned }),
    },
    request_key: job.request_key,
    request_id: job.request_id,
    error: job.error_code === null ? null : { code: job.error_code, message: job.error_message ?? '' },
    cancelled: job.cancelled,
  };
}
