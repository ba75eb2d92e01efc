import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestIdentity } from '#engine/requests/request-identity.ts';
import { getPrincipal } from '#http/principal.ts';
import { isUuid } from '#lib/ids.ts';
import type { StagedBlob } from '#storage/blobs/blob-store.ts';
import { listAllCustomFields } from '#storage/subscribers/custom-fields.ts';
import { findTagIds } from '#storage/subscribers/tags.ts';
import { findUpload, takeUpload } from '#storage/subscribers/uploads.ts';
import { CsvRefused } from '../csv/csv-refused.ts';
import { type CsvSource, storeCsv } from '../csv/store-csv.ts';
import { fieldOf } from '../fields/routes.ts';
import { findReplay, identityOf, jsonResponse, replayOf, sendStored } from '../http/idempotency.ts';
import { invalid, no } from '../http/refusals.ts';
import type { SubscribersParts } from '../parts.ts';
import type { ImportBody } from './contract.ts';
import type { ImportInput } from './import-input.ts';
import { IMPORT_KIND } from './kind.ts';
import { checkMappings, planRows } from './mapping.ts';
import { spooledText, takeSpooledCsv } from './spooled-csv.ts';
import { showAccepted } from './views.ts';

/**
 * Accepts an import. Everything that can be wrong with the request is found here, with nothing written: the
 * file is read to its end before the job exists, so an accepted import cannot fail for what it was sent.
 */
export async function createImport(
  deps: SubscribersParts,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ImportBody,
): Promise<void> {
  const { upload_id: uploadId } = body;
  if ((body.csv_text == null) === (uploadId == null))
    throw invalid('csv_text', 'or upload_id is needed, and not both');
  const identity = identityOf(deps, request, IMPORT_KIND);
  const csv = takeSpooledCsv(request);
  try {
    return await acceptImport(deps, request, reply, body, identity, csv);
  } finally {
    await csv?.discard();
  }
}

async function acceptImport(
  deps: SubscribersParts,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ImportBody,
  identity: RequestIdentity | undefined,
  csv: StagedBlob | undefined,
): Promise<void> {
  const { accountId } = getPrincipal(request);
  const { upload_id: uploadId } = body;
  const replay = await findReplay(deps, accountId, identity);
  if (replay !== undefined) return sendStored(reply, replay, true);

  await deps.room.require(accountId);
  const fields = new Map(
    (await listAllCustomFields(deps.db, accountId)).map((field) => [field.id, fieldOf(field)]),
  );
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
  const accepted = await deps.engine.accept({
    accountId,
    kind: IMPORT_KIND,
    input,
    ...(identity !== undefined && { identity }),
    requestId: request.id,
    blobs: [source.digest],
    response: ({ id, createdAt }) => jsonResponse(202, { data: showAccepted(id, createdAt, input) }),
    ...(uploadId != null && {
      alongside: async (tx, job) => {
        if (!(await takeUpload(tx, uploadId.toLowerCase(), job.id, deps.clock.now())))
          throw alreadyTaken(uploadId);
      },
    }),
  });
  if (accepted.outcome === 'blobs-gone')
    throw no('upload_expired', 'The uploaded file is no longer kept; upload it again.');
  if (accepted.outcome === 'quota-exceeded') throw new Error('bug: imports have no quota');
  if (accepted.outcome !== 'accepted') return sendStored(reply, replayOf(deps, accepted), true);
  const { id, created_at } = accepted.job;
  return sendStored(reply, jsonResponse(202, { data: showAccepted(id, created_at, input) }), false);
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
    return await storeCsv(deps.blobs, accountId, spooledText(csv), { maxBytes, maxRows });
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
    throw no('upload_expired', 'This upload has expired; start a new one.');
  if (upload.source === null) throw no('upload_not_ready', 'The file of this upload has not arrived yet.');
  return upload.source as unknown as CsvSource;
}
