import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { findLoad, findSliceResults, type LoadRecord, sumSliceResults } from '#storage/ingest/loads.ts';
import { findJobOf, type JobRecord } from '#storage/jobs/find-jobs.ts';
import type { CollectionDefinition } from '../collections/definition.ts';
import { getCollection } from '../collections/registry.ts';
import type { jobSchema, resultsQuery, resultsSchema } from '../contract.ts';
import { refuse } from '../errors.ts';
import type { IngestParts } from '../parts.ts';
import { toResult } from '../pipeline/item-outcome.ts';
import { parsePublicId, publicId } from '../public-id.ts';
import { identifyCaller } from '../requests/partner.ts';
import { jobUrl } from './accept-load.ts';
import { LOAD_KIND, type LoadInput } from './load-input.ts';
import { unpackOutcomes } from './packed-outcomes.ts';

const statuses = {
  queued: 'QUEUED',
  processing: 'RUNNING',
  completed: 'COMPLETED',
  failed: 'FAILED',
} as const;

async function getLoad(
  parts: IngestParts,
  request: FastifyRequest,
  id: string,
): Promise<{ job: JobRecord; load: LoadRecord }> {
  const caller = await identifyCaller(parts, request, 'read');
  const uuid = parsePublicId('job', id);
  const { db } = parts.database;
  const job = uuid === undefined ? undefined : await findJobOf(db, caller.accountId, LOAD_KIND, uuid);
  const load = job && (await findLoad(db, job.id));
  if (job === undefined || load?.partnerNo !== caller.partnerNo) throw refuse('not-found', 'Job not found.');
  return { job, load };
}

/** `GET /jobs/{id}`: returns the state of a bulk job. */
export async function readLoad(
  parts: IngestParts,
  request: FastifyRequest,
  id: string,
): Promise<z.output<typeof jobSchema>> {
  const { job, load } = await getLoad(parts, request, id);
  const { error_code: code } = job;
  return {
    job_id: publicId('job', job.id),
    status: statuses[job.state as keyof typeof statuses],
    collection: getCollection(load.collection).path,
    mode: load.mode,
    correlation_id: (job.input as unknown as LoadInput).correlationId,
    summary: await sumSliceResults(parts.database.db, job.id),
    tombstoned: load.tombstoned,
    progress: { processed: job.rows_done, total: job.rows_total },
    created_at: job.created_at.toISOString(),
    started_at: job.started_at?.toISOString() ?? null,
    completed_at: job.settled_at?.toISOString() ?? null,
    results_url: `${jobUrl(parts, job.id)}/results`,
    error: code === null ? null : { code, detail: job.error_message ?? '' },
  };
}

/** `GET /jobs/{id}/results`: returns a page, or with NDJSON all results so far, slice by slice. */
export async function readResults(
  parts: IngestParts,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  query: z.output<typeof resultsQuery>,
): Promise<FastifyReply> {
  const { job, load } = await getLoad(parts, request, id);
  const definition = getCollection(load.collection);
  const wanted = query.format ?? (/\bndjson\b/.test(request.headers.accept ?? '') ? 'ndjson' : 'json');
  if (wanted === 'ndjson')
    return reply.type('application/x-ndjson').send(Readable.from(streamLines(parts, definition, job.id)));
  return reply.send(await readPage(parts, definition, job.id, query));
}

async function* streamLines(
  parts: IngestParts,
  definition: CollectionDefinition,
  jobId: string,
): AsyncGenerator<Buffer> {
  for (let n = 0; ; ) {
    const slice = await findSliceResults(parts.database.db, jobId, n);
    if (slice === undefined) return;
    const lines = unpackOutcomes(slice.results).map(
      (outcome) => `${JSON.stringify(toResult(definition, outcome))}\n`,
    );
    yield Buffer.from(lines.join(''));
    n = slice.n + 1;
  }
}

async function readPage(
  parts: IngestParts,
  definition: CollectionDefinition,
  jobId: string,
  { cursor, limit }: z.output<typeof resultsQuery>,
): Promise<z.output<typeof resultsSchema>> {
  let { n, line } = readCursor(cursor);
  const data: z.output<typeof resultsSchema>['data'] = [];
  for (;;) {
    const slice = await findSliceResults(parts.database.db, jobId, n);
    if (slice === undefined) return { data, next_cursor: null };
    const outcomes = unpackOutcomes(slice.results);
    const from = slice.n === n ? line : 0;
    const taken = outcomes.slice(from, from + limit - data.length);
    data.push(...taken.map((outcome) => toResult(definition, outcome)));
    const end = from + taken.length;
    ({ n, line } = end < outcomes.length ? { n: slice.n, line: end } : { n: slice.n + 1, line: 0 });
    if (data.length >= limit) {
      const more =
        end < outcomes.length || (await findSliceResults(parts.database.db, jobId, n)) !== undefined;
      return { data, next_cursor: more ? `${n}.${line}` : null };
    }
  }
}

function readCursor(cursor: string | undefined): { n: number; line: number } {
  if (cursor === undefined) return { n: 0, line: 0 };
  const [, n, line] = /^(\d{1,9})\.(\d{1,9})$/.exec(cursor) ?? [];
  if (n === undefined || line === undefined)
    throw refuse('malformed-request', 'cursor must be a next_cursor from an earlier page of this list.');
  return { n: Number(n), line: Number(line) };
}
