import type { z } from 'zod';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import type { ImportCounts } from '#storage/subscribers/imports.ts';
import { iso, isoOrNull } from '../views.ts';
import type { importJob, importSummary, JOB_STATUSES } from './contract.ts';
import type { ImportInput } from './import-input.ts';

const WIRE_STATUS = {
  queued: 'Queued',
  processing: 'Processing',
  completed: 'Completed',
  failed: 'Failed',
} as const;

export function statusOf(job: Pick<JobRecord, 'state'>): (typeof JOB_STATUSES)[number] {
  return WIRE_STATUS[job.state as keyof typeof WIRE_STATUS];
}

const NONE: ImportCounts = { created: 0, updated: 0, unchanged: 0 };

export function showImportSummary(
  job: JobRecord,
  counts: ImportCounts = NONE,
): z.infer<typeof importSummary> {
  const input = job.input as unknown as ImportInput;
  const completed = job.state === 'completed';
  return {
    id: job.id,
    status: statusOf(job),
    imported_count: completed ? counts.created + counts.updated + counts.unchanged : null,
    row_count: input.source.rows,
    created_count: counts.created,
    updated_count: counts.updated,
    unchanged_count: counts.unchanged,
    failed_count: job.rows_failed,
    progress: completed ? 1 : job.slices_total === 0 ? 0 : Math.min(1, job.slices_done / job.slices_total),
    dry_run: input.dryRun,
    started_at: isoOrNull(job.started_at),
    completed_at: isoOrNull(job.settled_at),
    created_at: iso(job.created_at),
    updated_at: iso(job.settled_at ?? job.started_at ?? job.created_at),
    self: importPath(job.id),
  };
}

export function showImport(
  job: JobRecord,
  counts: ImportCounts | undefined,
  failedRowsUrl: string | null,
): z.infer<typeof importJob> {
  return {
    ...showImportSummary(job, counts),
    error_message: job.error_message,
    failed_rows_url: failedRowsUrl,
  };
}

/** The response to a create and to every replay of it. */
export function showAccepted(id: string, createdAt: Date, input: ImportInput): z.infer<typeof importJob> {
  return {
    id,
    status: 'Queued',
    imported_count: null,
    row_count: input.source.rows,
    created_count: 0,
    updated_count: 0,
    unchanged_count: 0,
    failed_count: 0,
    progress: 0,
    dry_run: input.dryRun,
    started_at: null,
    completed_at: null,
    created_at: iso(createdAt),
    updated_at: iso(createdAt),
    self: importPath(id),
    error_message: null,
    failed_rows_url: null,
  };
}

export const importPath = (id: string) => `/v1/jobs/subscriber-imports/${id}`;
