import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestIdentity } from '#engine/requests/request-identity.ts';
import { engineName } from '#fill/node/engine-name.ts';
import { getPrincipal } from '#http/principal.ts';
import { hasJobBlobs } from '#storage/blob-records.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import { listSliceResults } from '#storage/jobs/slice-results.ts';
import type { RetryBody } from '../contract.ts';
import { idempotencyKey, waitAndAnswer } from '../create/answer.ts';
import { type Created, outcomeOf, replay } from '../create/create-export.ts';
import type { CreateParts } from '../create/create-parts.ts';
import { digestOf } from '../create/effective-body.ts';
import { refuse } from '../errors.ts';
import { EXPORT_KIND, type ExportInput, inputBlobs, type SliceResult } from '../export-input.ts';
import { getOwnedJob } from '../read/find-owned-job.ts';
import { PICTURE_SLICE_ROWS } from '../rows/normalise-rows.ts';
import { RetryRows } from './retry-rows.ts';

/** POST …/{job_id}/retry: a new job of the rows that have no PDF, with the files and options of the first. */
export async function retryJob(
  parts: CreateParts,
  request: FastifyRequest,
  reply: FastifyReply,
  shutdown: AbortSignal,
): Promise<FastifyReply> {
  const job = await getOwnedJob(parts, request);
  const body = (request.body ?? {}) as RetryBody;
  const identity = identityOf(parts, idempotencyKey(request), job, body);
  const created =
    (await replay(parts, getPrincipal(request), identity)) ??
    (await accept(parts, request, job, body, identity));
  return waitAndAnswer(parts, request, reply, created, shutdown);
}

function identityOf(parts: CreateParts, key: string, job: JobRecord, body: RetryBody): RequestIdentity {
  const bodyParts = {
    retry_of: digestOf(job.id).toString('hex'),
    rows: digestOf(body.rows ?? []).toString('hex'),
    max_failed_row_percent: digestOf(body.max_failed_row_percent ?? null).toString('hex'),
  };
  return {
    scope: EXPORT_KIND,
    key,
    windowSeconds: parts.settings.idempotencyWindowSeconds,
    bodyDigest: digestOf(bodyParts),
    bodyParts,
  };
}

async function accept(
  parts: CreateParts,
  request: FastifyRequest,
  job: JobRecord,
  body: RetryBody,
  identity: RequestIdentity,
): Promise<Created> {
  if (job.settled_at === null)
    throw refuse('EXPORT_JOB_OPEN', 'The job has not settled yet; there is nothing to retry.');
  const first = job.input as unknown as ExportInput;
  const worked = job.reused_from ?? job.id;
  // Rows are only comparable with those of the same engine and fonts, and kept actions stay only while the setting does.
  const engine = engineName(parts.settings.keepPdfActions);
  if (first.engine !== engine || !(await hasJobBlobs(parts.db, worked, 'input'))) throw gone();
  const chosen = await rowsWithoutPdf(parts, job, worked, first);
  const choosable = new Set(chosen);
  const stray = body.rows?.find(({ row_number }) => !choosable.has(row_number));
  if (stray !== undefined)
    throw refuse('INVALID_FIELD', `rows: row ${stray.row_number} is not one that is tried again.`);
  if (chosen.length === 0) throw refuse('NO_ROWS', 'No row of this job has failed.');

  const sliceRows = first.assets === undefined ? undefined : PICTURE_SLICE_ROWS;
  const rows = new RetryRows(parts.blobs, first.rows, chosen, body.rows ?? [], sliceRows);
  const { accountId, plan } = getPrincipal(request);
  const rowsBlob = await parts.blobs.put(accountId, rows.bytes());
  const numbers = await parts.blobs.put(accountId, Buffer.from(JSON.stringify(chosen)));
  const input: ExportInput = {
    ...first,
    rows: { blob: rowsBlob.digest, count: chosen.length, slices: rows.slices() },
    sourceRows: numbers.digest,
    options: {
      ...first.options,
      max_failed_row_percent: body.max_failed_row_percent ?? first.options.max_failed_row_percent,
    },
  };
  const answer = await parts.engine.accept({
    accountId,
    kind: EXPORT_KIND,
    input,
    identity,
    requestId: request.id,
    blobs: inputBlobs(input),
    quota: {
      rows: input.options.dry_run ? 0 : chosen.length,
      limit: parts.settings.plans.get(plan)?.rowsPerMonth ?? null,
    },
  });
  if (answer.outcome === 'blobs-gone') throw gone();
  return outcomeOf(parts, answer);
}

/** Of a completed job its failed rows; of a failed one all, because nothing of it was delivered. */
async function rowsWithoutPdf(
  parts: CreateParts,
  job: JobRecord,
  worked: string,
  first: ExportInput,
): Promise<readonly number[]> {
  if (job.state === 'failed') return Array.from({ length: first.rows.count }, (_, index) => index + 1);
  const slices = await listSliceResults(parts.db, worked);
  return slices.flatMap(({ result }) => (result as SliceResult | null)?.failed ?? []);
}

const gone = () =>
  refuse('EXPORT_INPUT_GONE', 'The inputs of this job are no longer kept. Send a new create.');
