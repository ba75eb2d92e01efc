import type { FastifyRequest } from 'fastify';
import { getPrincipal } from '#http/principal.ts';
import { isUuid } from '#lib/ids.ts';
import { findJobOf, type JobRecord } from '#storage/jobs/find-jobs.ts';
import { refuse } from '../errors.ts';
import { EXPORT_KIND } from '../export-input.ts';
import type { BulkfillParts } from '../parts.ts';

/** Finds the caller's job by the id in the path. Unknown ids and ids of other accounts get the same error. */
export async function findOwnedJob(
  parts: BulkfillParts,
  request: FastifyRequest,
): Promise<JobRecord | undefined> {
  const { job_id: id } = request.params as { job_id: string };
  if (!isUuid(id)) throw refuse('INVALID_JOB_ID', 'job_id must be a UUID.');
  return findJobOf(parts.db, getPrincipal(request).accountId, EXPORT_KIND, id.toLowerCase());
}

export async function getOwnedJob(parts: BulkfillParts, request: FastifyRequest): Promise<JobRecord> {
  const job = await findOwnedJob(parts, request);
  if (job === undefined) throw refuse('EXPORT_JOB_NOT_FOUND', 'Export job not found.');
  return job;
}
