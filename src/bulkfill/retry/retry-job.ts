import type { FastifyReply, FastifyRequest } from 'fastify';
import { canonicalDigest } from '#engine/requests/request-identity.ts';
import type { ComparedBody, IdentifiedRequest, Once } from '#http/idempotency/idempotent-requests.ts';
import { getPrincipal } from '#http/principal.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import { listSliceResults } from '#storage/jobs/slice-results.ts';
import type { RetryBody } from '../contract.ts';
import { answerWithJob } from '../create/answer-with-job.ts';
import type { CreateParts } from '../create/create-parts.ts';
import { type ExportRequests, quotaExceeded } from '../create/export-requests.ts';
import { verifyAddress } from '../create/verify-address.ts';
import { refuse } from '../errors.ts';
import { EXPORT_KIND, type ExportInput, inputBlobs, type SliceResult } from '../export-input.ts';
import { getOwnedJob } from '../read/find-owned-job.ts';
import { PICTURE_SLICE_ROWS } from '../rows/row-lines.ts';
import { RetryGroups } from './retry-groups.ts';
import { hasRetryInputs, workedBy } from './retry-inputs.ts';
import { RetryRows } from './retry-rows.ts';

/** POST …/{job_id}/retry: accepts a new job for the rows without a PDF, with the files and options of the original job. */
export async function retryJob(
  parts: CreateParts,
  requests: ExportRequests,
  request: FastifyRequest,
  reply: FastifyReply,
  shutdown: AbortSignal,
): Promise<FastifyReply> {
  const job = await getOwnedJob(parts, request);
  const body = (request.body ?? {}) as RetryBody;
  const identified = { ...requests.identify(request, EXPORT_KIND), body: () => comparedBody(job, body) };
  const accepted = await requests.once(identified, () => accept(parts, requests, identified, job, body));
  return answerWithJob(parts, request, reply, accepted, shutdown);
}

function comparedBody(job: JobRecord, body: RetryBody): ComparedBody {
  const parts = {
    retry_of: canonicalDigest(job.id).toString('hex'),
    rows: canonicalDigest(body.rows ?? []).toString('hex'),
    max_failed_row_percent: canonicalDigest(body.max_failed_row_percent ?? null).toString('hex'),
  };
  return { digest: canonicalDigest(parts), parts };
}

async function accept(
  parts: CreateParts,
  requests: ExportRequests,
  identified: IdentifiedRequest,
  job: JobRecord,
  body: RetryBody,
): Promise<Once<JobRecord>> {
  if (job.settled_at === null)
    throw refuse('EXPORT_JOB_OPEN', 'The job has not settled yet; there is nothing to retry.');
  const first = job.input as unknown as ExportInput;
  const address = verifyAddress(parts.settings, first.options);
  if (!(await hasRetryInputs(parts.db, job, parts.settings.keepPdfActions))) throw gone();
  const chosen = await rowsWithoutPdf(parts, job, first);
  const isGrouped = first.options.group_by !== undefined;
  const choosable = new Set(chosen);
  const stray = isGrouped ? undefined : body.rows?.find(({ row_number }) => !choosable.has(row_number));
  if (stray !== undefined) throw notToRetry(stray.row_number);
  if (chosen.length === 0) throw refuse('NO_ROWS', 'No row of this job has failed.');

  const sliceRows = first.assets === undefined ? undefined : PICTURE_SLICE_ROWS;
  const Rows = isGrouped ? RetryGroups : RetryRows;
  const rows = new Rows(parts.blobs, first.rows, chosen, body.rows ?? [], sliceRows);
  const { request, accountId } = identified;
  const rowsBlob = await parts.blobs.put(accountId, rows.bytes());
  const groups = rows instanceof RetryGroups ? rows : undefined;
  if (groups?.stray !== undefined) throw notToRetry(groups.stray);
  const numbers = await parts.blobs.put(accountId, Buffer.from(JSON.stringify(chosen)));
  const input: ExportInput = {
    ...first,
    ...(address !== undefined && { verifyAddress: address }),
    rows: {
      blob: rowsBlob.digest,
      count: chosen.length,
      slices: rows.slices(),
      ...(groups !== undefined && { inputCount: groups.inputCount }),
    },
    sourceRows: numbers.digest,
    options: {
      ...first.options,
      max_failed_row_percent: body.max_failed_row_percent ?? first.options.max_failed_row_percent,
    },
  };
  return requests.accept(identified, {
    kind: EXPORT_KIND,
    input,
    requestId: request.id,
    blobs: inputBlobs(input),
    quota: {
      rows: input.options.dry_run ? 0 : (groups?.inputCount ?? chosen.length),
      limit: parts.settings.plans.get(getPrincipal(request).plan)?.rowsPerMonth ?? null,
    },
    refused: (outcome) => (outcome === 'quota-exceeded' ? quotaExceeded() : gone()),
  });
}

/** Returns the failed rows of a completed job, or all rows of a failed job, which delivered nothing. */
async function rowsWithoutPdf(
  parts: CreateParts,
  job: JobRecord,
  first: ExportInput,
): Promise<readonly number[]> {
  if (job.state === 'failed') return Array.from({ length: first.rows.count }, (_, index) => index + 1);
  const slices = await listSliceResults(parts.db, workedBy(job));
  return slices.flatMap(({ result }) => (result as SliceResult | null)?.failed ?? []);
}

const notToRetry = (row: number) =>
  refuse('INVALID_FIELD', `rows: row ${row} is not one of the rows to retry.`);
const gone = () => refuse('EXPORT_INPUT_GONE', 'The inputs of this job have been deleted. Create a new job.');
