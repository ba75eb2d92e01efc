import type { DeliveryRecord } from '#storage/artifacts.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import type { ExportJob } from './contract.ts';
import type { ArtifactParts } from './export-input.ts';
import type { BulkfillParts } from './parts.ts';

export const downloadPath = (jobId: string): string => `/v1/bulkfill/export-jobs/${jobId}/download`;

type ViewParts = Pick<BulkfillParts, 'handOff' | 'clock'>;

/** A job as its owner sees it. Members without a value are omitted, never null, except `download_url`. */
export function jobEnvelope(
  parts: ViewParts,
  job: JobRecord,
  delivery: DeliveryRecord | undefined,
): ExportJob {
  return {
    job_id: job.id,
    status: job.state as ExportJob['status'],
    created_at: job.created_at.toISOString(),
    ...(job.started_at !== null && { started_at: job.started_at.toISOString() }),
    ...(job.settled_at !== null && { completed_at: job.settled_at.toISOString() }),
    ...(delivery !== undefined && { result: resultOf(parts, job, delivery) }),
    ...(job.error_code !== null && { error: errorOf(job) }),
  };
}

/** A delivery is active until it expires or its files are deleted. */
export function isActive(delivery: DeliveryRecord, now: Date): boolean {
  return delivery.expires_at > now && delivery.purged_at === null;
}

function resultOf(
  { handOff, clock }: ViewParts,
  job: JobRecord,
  delivery: DeliveryRecord,
): NonNullable<ExportJob['result']> {
  return {
    delivery_mode: handOff.modeOf(delivery.parts as ArtifactParts),
    download_url: isActive(delivery, clock.now()) ? downloadPath(job.id) : null,
    expires_at: delivery.expires_at.toISOString(),
    file_size_bytes: delivery.size_bytes,
  };
}

function errorOf(job: JobRecord): NonNullable<ExportJob['error']> {
  const details = job.error_details as NonNullable<ExportJob['error']>['details'] | null;
  return {
    code: job.error_code ?? '',
    message: job.error_message ?? '',
    ...(details !== null && { details }),
  };
}
