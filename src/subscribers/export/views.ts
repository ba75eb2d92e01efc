import type { z } from 'zod';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import { statusOf } from '../import/views.ts';
import { iso, isoOrNull } from '../views.ts';
import type { exportJob, exportSummary } from './contract.ts';
import type { ExportInput, ExportOutcome } from './export-input.ts';

type ExportJob = z.infer<typeof exportJob>;

export function showExportSummary(job: JobRecord): z.infer<typeof exportSummary> {
  const outcome = job.outcome as unknown as ExportOutcome | null;
  return {
    id: job.id,
    status: statusOf(job),
    exported_count: outcome?.count ?? null,
    started_at: isoOrNull(job.started_at),
    completed_at: isoOrNull(job.settled_at),
    created_at: iso(job.created_at),
    updated_at: iso(job.settled_at ?? job.started_at ?? job.created_at),
    self: `/v1/jobs/subscriber-exports/${job.id}`,
  };
}

export function showExport(
  job: JobRecord,
  link: { readonly url: string | null; readonly expiresAt: Date } | undefined,
): ExportJob {
  const input = job.input as unknown as ExportInput;
  const outcome = job.outcome as unknown as ExportOutcome | null;
  return {
    ...showExportSummary(job),
    ...showInput(input),
    file_name: outcome?.fileName ?? null,
    download_url: link?.url ?? null,
    expires_at: isoOrNull(link?.expiresAt),
    error_message: job.error_message,
  };
}

function showInput({ selection, format }: ExportInput): Pick<ExportJob, 'selection' | 'format'> {
  const { query, coldOnly } = selection;
  return {
    selection: { query, status: selection.status as ExportJob['selection']['status'], cold_only: coldOnly },
    format,
  };
}

export function showAcceptedExport(id: string, createdAt: Date, input: ExportInput): ExportJob {
  return {
    id,
    status: 'Queued',
    exported_count: null,
    started_at: null,
    completed_at: null,
    created_at: iso(createdAt),
    updated_at: iso(createdAt),
    self: `/v1/jobs/subscriber-exports/${id}`,
    ...showInput(input),
    file_name: null,
    download_url: null,
    expires_at: null,
    error_message: null,
  };
}
