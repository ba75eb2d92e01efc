import type { FastifyReply, FastifyRequest } from 'fastify';
import { lostRecord } from '#engine/blob-keeper.ts';
import type { IdentifiedRequest, Once } from '#http/idempotency/idempotent-requests.ts';
import { jsonResponse, sendOnce, type WireResponse } from '#http/idempotency/wire-response.ts';
import { isUuid } from '#lib/ids.ts';
import type { StagedBlob } from '#storage/blobs/blob-store.ts';
import { findTagIds } from '#storage/subscribers/tags.ts';
import { findUpload, takeUpload } from '#storage/subscribers/uploads.ts';
import { CsvRefused } from '../csv/csv-refused.ts';
import { type CsvSource, storeCsv } from '../csv/store-csv.ts';
import { listFields } from '../fields/list-fields.ts';
import { identify, type SubscriberRequests } from '../http/idempotency.ts';
import { invalid, no } from '../http/refusals.ts';
import type { SubscribersParts } from '../parts.ts';
import type { ImportBody } from './contract.ts';
import type { ImportInput } from './import-input.ts';
import { IMPORT_KIND } from './kind.ts';
import { checkMappings, planRows } from './mapping.ts';
import { spooledBytes, takeSpooledCsv } from './spooled-csv.ts';
import { showAccepted } from './views.ts';

/**
 * Accepts an import. The whole file is validated before the job exists, so an accepted import cannot fail because of its
 * input.
 */
export async function createImport(
  deps: SubscribersParts,
  requests: SubscriberRequests,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ImportBody,
): Promise<void> {
  const { upload_id: uploadId } = body;
  if ((body.csv_text == null) === (uploadId == null))
    throw invalid('csv_text', 'or upload_id is required, but not both');
  const identified = identify(requests, request, IMPORT_KIND);
  const csv = takeSpooledCsv(request);
  try {
    const accept = () => acceptImport(deps, requests, identified, body, csv);
    await sendOnce(reply, await requests.once(identified, accept));
  } finally {
    await csv?.discard();
  }
}

async function acceptImport(
  deps: SubscribersParts,
  requests: SubscriberRequests,
  identified: IdentifiedRequest,
  body: ImportBody,
  csv: StagedBlob | undefined,
): Promise<Once<WireResponse>> {
  const { accountId, request } = identified;
  const { upload_id: uploadId } = body;
  await deps.room.require(accountId);
  const fields = new Map((await listFields(deps.db, accountId)).map((field) => [field.id, field]));
  checkMappings(body.mappings, fields);
  const tagIds = await knownTags(deps, accountId, body.existing_tag_ids ?? []);
  const source =
    csv !== undefined
      ? await storeText(deps, accountId, csv)
      : await uploadedSource(deps, accountId, uploadId ?? '');
  const input: ImportInput = {
    source,
    plan: planRows(body.mappings, source.headers, fields),
    tagIds,
    ...(body.new_tag_name != null && { newTagName: body.new_tag_name }),
    sequenceIds: [...new Set(body.sequence_ids ?? [])],
    dryRun: body.dry_run === true,
    ...(uploadId != null && { uploadId }),
  };
  return requests.accept(identified, {
    kind: IMPORT_KIND,
    input,
    requestId: request.id,
    blobs: [source.digest],
    response: ({ id, createdAt }) => jsonResponse(202, { data: showAccepted(id, createdAt, input) }),
    ...(uploadId != null && {
      alongside: async (tx, job) => {
        if (!(await takeUpload(tx, uploadId.toLowerCase(), job.id, deps.clock.now())))
          throw alreadyTaken(uploadId);
      },
    }),
    refused: (outcome) => {
      if (outcome !== 'blobs-gone') return new Error('bug: imports have no quota');
      if (uploadId == null) return lostRecord();
      return no('upload_expired', 'The uploaded file has been deleted. Upload it again.');
    },
  });
}

async function knownTags(
  deps: SubscribersParts,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const known = await findTagIds(deps.db, accountId, ids.filter(isUuid));
  if (!ids.every((id) => known.has(id.toLowerCase())))
    throw invalid('existing_tag_ids', 'names a tag that does not exist');
  return [...known];
}

async function storeText(deps: SubscribersParts, accountId: string, csv: StagedBlob): Promise<CsvSource> {
  const { maxCsvBytes: maxBytes, maxCsvRows: maxRows } = deps.settings;
  try {
    return await storeCsv(deps.blobs, accountId, spooledBytes(csv), { maxBytes, maxRows });
  } catch (error) {
    throw error instanceof CsvRefused ? no(error.code, error.message, { field: 'csv_text' }) : error;
  }
}

const alreadyTaken = (id: string) =>
  no('resource_conflict', 'This upload belongs to another import.', { resource: { type: 'upload', id } });

async function uploadedSource(deps: SubscribersParts, accountId: string, id: string): Promise<CsvSource> {
  const upload = isUuid(id) ? await findUpload(deps.db, accountId, id.toLowerCase()) : undefined;
  if (upload === undefined) throw invalid('upload_id', 'names an upload that does not exist');
  if (upload.queued_at !== null) throw alreadyTaken(id);
  if (upload.expires_at <= deps.clock.now())
    throw no('upload_expired', 'This upload has expired. Start a new upload.');
  if (upload.source === null) throw no('upload_not_ready', 'The file of this upload has not arrived yet.');
  return upload.source as unknown as CsvSource;
}
