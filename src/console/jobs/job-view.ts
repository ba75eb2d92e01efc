import type { JobSummary } from '#storage/console/jobs.ts';
import { type AllJobViews, surfaceOf } from '../job-views.ts';

/** A job of any surface, as lists and the stream show it. */
export interface JobItem {
  readonly id: string;
  readonly public_id: string;
  readonly surface: string;
  readonly kind: string;
  readonly account: string;
  readonly state: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly settled_at: string | null;
  readonly rows: {
    readonly total: number;
    readonly done: number;
    readonly succeeded: number;
    readonly failed: number;
    /** Rows that succeeded with warnings; present once the job has settled, if the surface counts them. */
    readonly warned?: number;
  };
  readonly request_key: string | null;
  readonly request_id: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly cancelled: boolean;
}

export function showJob(job: JobSummary, views: AllJobViews): JobItem {
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
