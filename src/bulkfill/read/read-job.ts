import type { FastifyRequest } from 'fastify';
import { getPrincipal } from '#http/principal.ts';
import { findDeliveries, findDelivery } from '#storage/artifacts.ts';
import { findJob, listJobs } from '#storage/jobs/find-jobs.ts';
import { readOnly } from '#storage/read-replica.ts';
import { findRequestKey } from '#storage/request-keys.ts';
import type { ExportJob } from '../contract.ts';
import { refuse } from '../errors.ts';
import { EXPORT_KIND } from '../export-input.ts';
import type { BulkfillParts } from '../parts.ts';
import { jobEnvelope } from '../views.ts';
import { getOwnedJob } from './find-owned-job.ts';
import { decodeCursor, encodeCursor } from './list-cursor.ts';

export async function readJob(parts: BulkfillParts, request: FastifyRequest): Promise<ExportJob> {
  const job = await getOwnedJob(parts, request);
  return jobEnvelope(parts, job, await findDelivery(parts.db, job.id));
}

export async function listExportJobs(
  parts: BulkfillParts,
  request: FastifyRequest,
  query: { limit: number; cursor?: string | undefined },
): Promise<{ data: ExportJob[]; next_cursor: string | null }> {
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  const { accountId } = getPrincipal(request);
  const { found, page, deliveries } = await readOnly(parts.db, async (reader) => {
    const found = await listJobs(reader, {
      accountId,
      kind: EXPORT_KIND,
      limit: query.limit,
      ...(after && { after }),
    });
    const page = found.slice(0, query.limit);
    const ids = page.map(({ id }) => id);
    return { found, page, deliveries: await findDeliveries(reader, ids) };
  });
  const data = page.map((job) => jobEnvelope(parts, job, deliveries.get(job.id)));
  const last = page.at(-1);
  const more = found.length > query.limit && last !== undefined;
  return { data, next_cursor: more ? encodeCursor({ createdAt: last.created_at, id: last.id }) : null };
}

/** Returns the current state of the request that used an Idempotency-Key of the caller. */
export async function readKey(parts: BulkfillParts, request: FastifyRequest, key: string) {
  const { accountId } = getPrincipal(request);
  const record = await findRequestKey(parts.db, accountId, EXPORT_KIND, key, parts.clock.now());
  const job = record?.job_id ? await findJob(parts.db, record.job_id) : undefined;
  if (record === undefined || job === undefined)
    throw refuse('EXPORT_JOB_NOT_FOUND', 'No request has used this Idempotency-Key.');
  return {
    key,
    job_id: job.id,
    claimed_at: record.claimed_at.toISOString(),
    expires_at: record.expires_at.toISOString(),
    status: job.state as ExportJob['status'],
  };
}
