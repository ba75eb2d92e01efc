import type { FastifyRequest } from 'fastify';
import { findDelivery } from '#storage/artifacts.ts';
import { getJob } from '#storage/jobs/find-jobs.ts';
import { purgeJob } from '#storage/retention.ts';
import type { ExportJob } from '../contract.ts';
import type { BulkfillParts } from '../parts.ts';
import { jobEnvelope } from '../views.ts';
import { getOwnedJob } from './find-owned-job.ts';

/** DELETE …/{job_id}: cancels an open job, or deletes the files of a settled one, whose state does not change. */
export async function cancelJob(parts: BulkfillParts, request: FastifyRequest): Promise<ExportJob> {
  const job = await getOwnedJob(parts, request);
  if (!(await parts.engine.cancel(job.id))) await purgeJob(parts.db, job.id, parts.clock.now());
  return jobEnvelope(parts, await getJob(parts.db, job.id), await findDelivery(parts.db, job.id));
}
