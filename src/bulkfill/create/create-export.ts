import type { FastifyRequest } from 'fastify';
import { judgeResolution } from '#engine/webhooks/target-guard.ts';
import { sealSecrets } from '#engine/webhooks/webhook-secrets.ts';
import { engineName } from '#fill/node/engine-name.ts';
import { type DecimalSigns, signsOf } from '#fill/values/decimal-signs.ts';
import type { IdentifiedRequest, Once } from '#http/idempotency/idempotent-requests.ts';
import { readMultipart } from '#http/multipart.ts';
import { getPrincipal, type Principal } from '#http/principal.ts';
import type { Turn } from '#lib/fair-turnstile.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import { refuse } from '../errors.ts';
import { EXPORT_KIND, type ExportInput, inputBlobs } from '../export-input.ts';
import { createRules } from './create-fields.ts';
import type { CreateParts } from './create-parts.ts';
import { type EffectiveBody, effectiveBody, hashLike, isSameUnread } from './effective-body.ts';
import { type ExportRequests, quotaExceeded } from './export-requests.ts';
import { keepAssets } from './keep-assets.ts';
import { type CreateForm, readForm } from './read-form.ts';
import { requireReadScope } from './require-read-scope.ts';
import { type StagedRows, stageRows } from './stage-rows.ts';

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
  const principal = getPrincipal(request);
  const turn: Turn = { owner: principal.accountId, signal: gone };
  const sink = {
    receive: (bytes: AsyncIterable<Uint8Array>) => parts.blobs.receive(parts.room.guarded(bytes)),
  };
  const received = await readMultipart(request, sink, createRules(limitsOf(parts, principal)));
  let rows: StagedRows | undefined;
  try {
    const form = readForm(received, parts.allow);
    requireReadScope(parts.rowSources, principal, form.rows);
    const key = requests.identify(request, EXPORT_KIND);
    const record = await requests.find(key);
    const earlier = (record?.body_parts ?? {}) as Record<string, string>;
    const keyedHash = hashLike(parts.keyedHashes, earlier);
    // Most replays have the same bytes; their rows need not be read.
    if (record !== undefined && isSameUnread(form, earlier, keyedHash))
      return await requests.replayEqual(record);
    rows = await stageRows(parts, turn, form);
    const engine = engineName(parts.settings.keepPdfActions);
    const body = effectiveBody(form, rows.staged.digest, engine, keyedHash);
    const identified = { ...key, body: () => body };
    if (record !== undefined) return await requests.replay(identified, record);
    const order = { turn, form, rows, body };
    return await requests.once(identified, () => accept(parts, requests, identified, order));
  } finally {
    await Promise.all([received.discard(), rows?.staged.discard()]);
  }
}

/** A create whose inputs have been read. */
interface ExportOrder {
  readonly turn: Turn;
  readonly form: CreateForm;
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
  const { settings } = parts;
  if (rows.count * judged.deflatedBytes > settings.maxOutputBytes)
    throw refuse('OUTPUT_TOO_LARGE', `The ZIP would be larger than ${settings.maxOutputBytes} bytes.`);
  const bytes = form.package.sizeBytes + (form.assets?.sizeBytes ?? 0) + rows.staged.sizeBytes;
  await parts.room.require(accountId, bytes + judged.deflatedBytes);
  const assets = form.assets && (await keepAssets(parts, turn, form.assets));
  const sealedPackage = await parts.blobs.keep(accountId, form.package.file);
  const rowsBlob = await parts.blobs.keep(accountId, rows.staged);
  const input: ExportInput = {
    engine: engineName(settings.keepPdfActions),
    pdf: form.pdf.sha256,
    package: sealedPackage.digest,
    base: judged.base,
    ...(assets !== undefined && { assets }),
    rows: { blob: rowsBlob.digest, count: rows.count, slices: rows.slices },
    pageCount: judged.pageCount,
    warnings: judged.warnings,
    options: form.options,
    ...pinned(judged.numberColumns, rows.decimalSigns),
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
      rows: form.options.dry_run ? 0 : rows.count,
      limit: settings.plans.get(getPrincipal(request).plan)?.rowsPerMonth ?? null,
    },
    workDigest: body.work,
    refused: (outcome) =>
      outcome === 'quota-exceeded'
        ? quotaExceeded()
        : new Error('bug: an input was deleted within the request that stored it'),
  });
}

/** Stores the decimal signs with the job, so that a retry of some rows reads numbers in the same way. */
function pinned(columns: readonly string[], signs: DecimalSigns): Pick<ExportInput, 'decimalSigns'> {
  const decimalSigns = signsOf(columns, signs);
  return decimalSigns === undefined ? {} : { decimalSigns };
}

async function checkTarget(parts: CreateParts, { delivery }: CreateForm): Promise<void> {
  if (delivery.mode === 'response') return;
  const verdict = await judgeResolution(delivery.target, { resolve: parts.resolve });
  if (!verdict.ok) throw refuse('INVALID_WEBHOOK_URL', `webhook_url cannot be used: ${verdict.reason}.`);
}

function limitsOf({ settings }: CreateParts, { plan }: Principal) {
  const planned = settings.plans.get(plan)?.maxPdfBytes ?? Number.POSITIVE_INFINITY;
  return {
    maxPdfBytes: Math.min(settings.maxPdfBytes, planned),
    maxPackageBytes: settings.maxPackageBytes,
    maxRowsBytes: settings.maxRowsBytes,
    maxAssetsBytes: settings.maxAssetsBytes,
  };
}
