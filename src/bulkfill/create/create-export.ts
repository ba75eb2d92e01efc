import type { FastifyRequest } from 'fastify';
import { requireNeed } from '#console/access/require-need.ts';
import { lostRecord } from '#engine/blob-keeper.ts';
import { canonicalDigest } from '#engine/requests/request-identity.ts';
import { judgeResolution } from '#engine/webhooks/target-guard.ts';
import { sealSecrets } from '#engine/webhooks/webhook-secrets.ts';
import { groupColumnKeys, withGroupColumns } from '#fill/group-columns.ts';
import { movedLabels } from '#fill/moved-labels.ts';
import { engineName } from '#fill/node/engine-name.ts';
import type { TopLevelWarning } from '#fill/package/compare-source.ts';
import { passwordColumnKey, withPasswordColumn } from '#fill/password-column.ts';
import { type DecimalSigns, signsOf } from '#fill/values/decimal-signs.ts';
import { verifyColumnKey, withoutVerifyColumn } from '#fill/verify/verify-column.ts';
import type { IdentifiedRequest, Once, RequestKey } from '#http/idempotency/idempotent-requests.ts';
import { readMultipart } from '#http/multipart.ts';
import type { MultipartForm } from '#http/multipart-form.ts';
import { getPrincipal } from '#http/principal.ts';
import { ApiError } from '#lib/errors/api-error.ts';
import type { Turn } from '#lib/fair-turnstile.ts';
import type { LabelledColumn } from '#lib/rows/labelled-rows.ts';
import type { StagedBlob } from '#storage/blobs/blob-store.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import type { RequestKeyRecord } from '#storage/request-keys.ts';
import { refuse } from '../errors.ts';
import {
  EXPORT_KIND,
  type ExportInput,
  inputBlobs,
  type UploadedFile,
  type UploadedFiles,
} from '../export-input.ts';
import { createRules, uploadLimits } from './create-fields.ts';
import type { CreateParts } from './create-parts.ts';
import { type EffectiveBody, effectiveBody, hashLike, isSameUnread } from './effective-body.ts';
import { type ExportRequests, quotaExceeded } from './export-requests.ts';
import { isJson, readJsonForm } from './json-form.ts';
import { keepAssets } from './keep-assets.ts';
import { type CreateForm, type FilePart, readForm } from './read-form.ts';
import { requireReadScope } from './require-read-scope.ts';
import { type ResolvedForm, resolveSource } from './resolve-source.ts';
import { type StagedRows, stageRows } from './stage-rows.ts';
import { verifyAddress } from './verify-address.ts';

/**
 * Reads a create request and accepts its job. Cheap checks run first, and a replay is found before the inputs are
 * validated. Nothing is stored or charged unless the job is accepted. `gone` stops the readers when the client disconnects.
 */
export async function createExport(
  parts: CreateParts,
  requests: ExportRequests,
  request: FastifyRequest,
  gone: AbortSignal,
): Promise<Once<JobRecord>> {
  const received = await receive(parts, request);
  try {
    const form = readForm(received, parts.allow);
    // People who only run existing projects must not bring their own files.
    if (form.source.kind === 'files') requireNeed(request, 'design');
    requireReadScope(parts.rowSources, getPrincipal(request), form.rows);
    const key = requests.identify(request, EXPORT_KIND);
    const record = await requests.find(key);
    const attempt = (found: typeof record) => answer(parts, requests, key, form, found, gone);
    return await attempt(record).catch(async (error: unknown) => {
      // Another request may have claimed the key since, with another version of the project.
      if (!isMismatch(error) || record !== undefined || form.source.kind === 'files') throw error;
      return attempt(await requests.find(key));
    });
  } finally {
    await received.discard();
  }
}

function receive(parts: CreateParts, request: FastifyRequest): Promise<MultipartForm<StagedBlob>> {
  if (isJson(request)) return readJsonForm(parts, request);
  const sink = {
    receive: (bytes: AsyncIterable<Uint8Array>) => parts.blobs.receive(parts.room.guarded(bytes)),
  };
  return readMultipart(request, sink, createRules(uploadLimits(parts.settings, getPrincipal(request))));
}

/** Replays the request of `record`, or accepts a new one. */
async function answer(
  parts: CreateParts,
  requests: ExportRequests,
  key: RequestKey,
  read: CreateForm,
  record: RequestKeyRecord | undefined,
  gone: AbortSignal,
): Promise<Once<JobRecord>> {
  const turn: Turn = { owner: key.accountId, signal: gone };
  const form = await resolveSource(parts, key.request, read, record);
  const earlier = (record?.body_parts ?? {}) as Record<string, string>;
  const keyedHash = hashLike(parts.keyedHashes, earlier);
  // Most replays have the same bytes; their rows need not be read.
  if (record !== undefined && isSameUnread(form, earlier, keyedHash)) return requests.replayEqual(record);
  const { group_by: named } = form.options;
  const needsColumns = form.matchColumns === 'label' || named !== undefined;
  const columns = needsColumns ? checkedColumns(form, await parts.judge.columns(turn, form)) : undefined;
  const labels = form.matchColumns === 'label' ? columns : undefined;
  const groupBy = named && columns && groupKeys(columns, named);
  const rows = await stageRows(parts, turn, form, labels, groupBy);
  try {
    const engine = engineName(parts.settings.keepPdfActions);
    const body = effectiveBody(form, rows.digest, engine, keyedHash, rows.columns);
    const identified = { ...key, body: () => body };
    if (record !== undefined) return await requests.replay(identified, record);
    const order = { turn, form, rows, body };
    return await requests.once(identified, () => accept(parts, requests, identified, order));
  } finally {
    await rows.staged.discard();
  }
}

const isMismatch = (error: unknown) =>
  error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH';

/** A create whose inputs have been read. */
interface ExportOrder {
  readonly turn: Turn;
  readonly form: ResolvedForm;
  readonly rows: StagedRows;
  readonly body: EffectiveBody;
}

async function accept(
  parts: CreateParts,
  requests: ExportRequests,
  identified: IdentifiedRequest,
  { turn, form, rows, body }: ExportOrder,
): Promise<Once<JobRecord>> {
  const { request, accountId } = identified;
  await checkTarget(parts, form);
  const judged = await parts.judge.judge(turn, form);
  checkedColumns(form, judged.columns);
  const { settings } = parts;
  const address = verifyAddress(settings, form.options);
  const copies = form.options.output === 'merged' ? 1 : rows.count;
  if (copies * judged.deflatedBytes > settings.maxOutputBytes)
    throw refuse('OUTPUT_TOO_LARGE', `The ZIP would be larger than ${settings.maxOutputBytes} bytes.`);
  const bytes = form.package.sizeBytes + (form.assets?.sizeBytes ?? 0) + rows.staged.sizeBytes;
  await parts.room.require(accountId, bytes + judged.deflatedBytes);
  const assets = form.assets && (await keepAssets(parts, turn, form.assets));
  const sealedPackage = await form.package.keep();
  const rowsBlob = await parts.blobs.keep(accountId, rows.staged);
  const moved = movedLabels(judged.columns, rows.header ?? []);
  const input: ExportInput = {
    engine: engineName(settings.keepPdfActions),
    pdf: form.pdf.sha256,
    package: sealedPackage,
    ...projectOf(form, judged.name),
    base: judged.base,
    ...(assets !== undefined && { assets }),
    rows: {
      blob: rowsBlob.digest,
      count: rows.count,
      slices: rows.slices,
      ...(form.options.group_by !== undefined && { inputCount: rows.inputCount }),
    },
    files: uploadedFiles(form),
    pageCount: judged.pageCount,
    warnings: [...judged.warnings, ...moved],
    options: form.options,
    ...pinned(judged.numberColumns, rows.decimalSigns),
    ...(rows.columns !== undefined && { columns: rows.columns }),
    ...(address !== undefined && { verifyAddress: address }),
    delivery:
      form.delivery.mode === 'response'
        ? form.delivery
        : {
            mode: 'webhook',
            url: form.delivery.url,
            secrets: sealSecrets(parts.secrets, [form.delivery.secret]).toString('base64'),
          },
  };
  return requests.accept(identified, {
    kind: EXPORT_KIND,
    input,
    requestId: request.id,
    blobs: inputBlobs(input),
    quota: {
      rows: form.options.dry_run ? 0 : rows.inputCount,
      limit: settings.plans.get(getPrincipal(request).plan)?.rowsPerMonth ?? null,
    },
    workDigest: workDigest(body, moved, address),
    refused: (outcome) => (outcome === 'quota-exceeded' ? quotaExceeded() : lostRecord()),
  });
}

/** The manifest contains the warnings, so equal rows below a header with other positions are other work. So are other addresses. */
function workDigest(
  { work }: EffectiveBody,
  moved: readonly TopLevelWarning[],
  address: string | undefined,
): Buffer {
  if (moved.length === 0 && address === undefined) return work;
  return canonicalDigest({ work: work.toString('hex'), moved, ...(address !== undefined && { address }) });
}

/** The columns that the rows are matched to. Refuses columns of the options that the package does not have. */
function checkedColumns(
  { options }: Pick<CreateForm, 'options'>,
  all: readonly LabelledColumn[],
): readonly LabelledColumn[] {
  const { password_column, verify_column, filename_columns, group_by = [] } = options;
  let columns = withGroupColumns(all, groupKeys(all, group_by));
  if (password_column !== undefined) {
    const found = passwordColumnKey(columns, password_column, filename_columns);
    columns = withPasswordColumn(columns, named('password_column', password_column, found));
  }
  if (verify_column !== undefined) {
    const others = { filenames: filename_columns, groupBy: group_by, password: password_column };
    const found = verifyColumnKey(columns, verify_column, others);
    columns = withoutVerifyColumn(columns, named('verify_column', verify_column, found));
  }
  return columns;
}

/** The key of the column that a field names. */
function named(
  field: string,
  name: string,
  found: { readonly key: string } | { readonly problem: string },
): string {
  if ('key' in found) return found.key;
  throw refuse('INVALID_FIELD', `${field} ${found.problem}; received ${JSON.stringify(name.slice(0, 100))}.`);
}

/** The keys of the columns that the request groups its rows by. */
function groupKeys(columns: readonly LabelledColumn[], names: readonly string[]): readonly string[] {
  const found = groupColumnKeys(columns, names);
  if ('problem' in found) throw refuse('INVALID_FIELD', `group_by ${found.problem}.`);
  return found.keys;
}

const MAX_NAME_CHARS = 200;

function uploadedFiles({ pdf, package: sealed, rows, assets }: ResolvedForm): UploadedFiles {
  const told = ({ fileName, sizeBytes }: Pick<FilePart, 'fileName' | 'sizeBytes'>): UploadedFile => ({
    // PostgreSQL cannot store NUL in JSON.
    name: fileName?.replaceAll('\0', '').slice(0, MAX_NAME_CHARS).toWellFormed() || null,
    bytes: sizeBytes,
  });
  return {
    pdf: told(pdf),
    package: told(sealed),
    ...(rows.format !== 'stored' && { rows: told(rows.part) }),
    ...(assets !== undefined && { assets: told(assets) }),
  };
}

/** The project of the job, and the name of its ZIP. */
function projectOf(
  { source, project }: ResolvedForm,
  packageName: string | undefined,
): Pick<ExportInput, 'name' | 'project'> {
  if (project === undefined) return packageName === undefined ? {} : { name: packageName };
  const { id, version, name } = project;
  const pinned = source.kind === 'project' && source.reference.version !== undefined;
  return { name, project: { id, version, pinned } };
}

/** Stores the decimal signs with the job, so that a retry of some rows reads numbers in the same way. */
function pinned(columns: readonly string[], signs: DecimalSigns): Pick<ExportInput, 'decimalSigns'> {
  const decimalSigns = signsOf(columns, signs);
  return decimalSigns === undefined ? {} : { decimalSigns };
}

async function checkTarget(parts: CreateParts, { delivery }: Pick<CreateForm, 'delivery'>): Promise<void> {
  if (delivery.mode === 'response') return;
  const verdict = await judgeResolution(delivery.target, { resolve: parts.resolve });
  if (!verdict.ok) throw refuse('INVALID_WEBHOOK_URL', `webhook_url cannot be used: ${verdict.reason}.`);
}
