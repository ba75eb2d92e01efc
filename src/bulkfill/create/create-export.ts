import type { FastifyRequest } from 'fastify';
import type { Accepted } from '#engine/requests/accept-job.ts';
import { compare, type RequestIdentity, type Taken } from '#engine/requests/request-identity.ts';
import { judgeResolution } from '#engine/webhooks/target-guard.ts';
import { sealSecrets } from '#engine/webhooks/webhook-secrets.ts';
import { engineName } from '#fill/node/engine-name.ts';
import { type DecimalSigns, signsOf } from '#fill/values/decimal-signs.ts';
import { readMultipart } from '#http/multipart.ts';
import { getPrincipal, type Principal } from '#http/principal.ts';
import type { Turn } from '#lib/fair-turnstile.ts';
import { getJob, type JobRecord } from '#storage/jobs/find-jobs.ts';
import { findRequestKey } from '#storage/request-keys.ts';
import { refuse } from '../errors.ts';
import { EXPORT_KIND, type ExportInput, inputBlobs } from '../export-input.ts';
import { createRules } from './create-fields.ts';
import type { CreateParts } from './create-parts.ts';
import { type EffectiveBody, effectiveBody, hashLike, isSameUnread, RAW_ROWS } from './effective-body.ts';
import { keepAssets } from './keep-assets.ts';
import { type CreateForm, readForm } from './read-form.ts';
import { requireReadScope } from './require-read-scope.ts';
import { type StagedRows, stageRows } from './stage-rows.ts';

export interface Created {
  readonly job: JobRecord;
  readonly replayed: boolean;
}

/**
 * A create request from its body to its job. Cheap refusals come first, a replay is answered before anything
 * is validated, and nothing is kept, charged or remembered unless the job is accepted. `gone` stops the readers when
 * the client disconnects.
 */
export async function createExport(
  parts: CreateParts,
  request: FastifyRequest,
  key: string,
  gone: AbortSignal,
): Promise<Created> {
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
    const record = await findRequestKey(parts.db, principal.accountId, EXPORT_KIND, key, parts.clock.now());
    const earlier = (record?.body_parts ?? {}) as Record<string, string>;
    const keyedHash = hashLike(parts.keyedHashes, earlier);
    // The common replay, byte for byte the same request: answered without reading its rows.
    if (record?.job_id != null && isSameUnread(form, earlier, keyedHash))
      return { job: await getJob(parts.db, record.job_id), replayed: true };
    rows = await stageRows(parts, turn, form);
    const engine = engineName(parts.settings.keepPdfActions);
    const body = effectiveBody(form, rows.staged.digest, engine, keyedHash);
    const identity: RequestIdentity = {
      scope: EXPORT_KIND,
      key,
      windowSeconds: parts.settings.idempotencyWindowSeconds,
      bodyDigest: body.digest,
      bodyParts: body.parts,
    };
    return (
      (await replay(parts, principal, identity)) ??
      (await accept(parts, principal, turn, form, rows, body, identity, request.id))
    );
  } finally {
    await Promise.all([received.discard(), rows?.staged.discard()]);
  }
}

export async function replay(
  parts: CreateParts,
  { accountId }: Principal,
  identity: RequestIdentity,
): Promise<Created | undefined> {
  const record = await findRequestKey(parts.db, accountId, identity.scope, identity.key, parts.clock.now());
  return record && replayOf(parts, compare(record, identity));
}

async function replayOf(parts: CreateParts, taken: Taken): Promise<Created> {
  if (taken.outcome === 'mismatch') {
    const differs_in = [...new Set(taken.differsIn.filter((name) => name !== RAW_ROWS))];
    throw refuse(
      'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH',
      'This Idempotency-Key has already been used for a different export request.',
      { members: { differs_in } },
    );
  }
  if (taken.record.job_id === null) throw new Error('bug: an export key without a job');
  return { job: await getJob(parts.db, taken.record.job_id), replayed: true };
}

async function accept(
  parts: CreateParts,
  principal: Principal,
  turn: Turn,
  form: CreateForm,
  rows: StagedRows,
  body: EffectiveBody,
  identity: RequestIdentity,
  requestId: string,
): Promise<Created> {
  await checkTarget(parts, form);
  const judged = await parts.judge.judge(turn, form);
  const { settings } = parts;
  if (rows.count * judged.deflatedBytes > settings.maxOutputBytes)
    throw refuse('OUTPUT_TOO_LARGE', `The ZIP would be larger than ${settings.maxOutputBytes} bytes.`);
  const bytes = form.package.sizeBytes + (form.assets?.sizeBytes ?? 0) + rows.staged.sizeBytes;
  await parts.room.require(principal.accountId, bytes + judged.deflatedBytes);
  const assets = form.assets && (await keepAssets(parts, turn, form.assets));
  const sealedPackage = await parts.blobs.keep(principal.accountId, form.package.file);
  const rowsBlob = await parts.blobs.keep(principal.accountId, rows.staged);
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
  const answer = await parts.engine.accept({
    accountId: principal.accountId,
    kind: EXPORT_KIND,
    input,
    identity,
    requestId,
    blobs: inputBlobs(input),
    quota: {
      rows: form.options.dry_run ? 0 : rows.count,
      limit: settings.plans.get(principal.plan)?.rowsPerMonth ?? null,
    },
    workDigest: body.work,
  });
  return outcomeOf(parts, answer);
}

/** Retries of the job keep these signs, whichever rows they hold. */
function pinned(columns: readonly string[], signs: DecimalSigns): Pick<ExportInput, 'decimalSigns'> {
  const decimalSigns = signsOf(columns, signs);
  return decimalSigns === undefined ? {} : { decimalSigns };
}

export async function outcomeOf(parts: CreateParts, answer: Accepted): Promise<Created> {
  switch (answer.outcome) {
    case 'accepted':
      return { job: answer.job, replayed: false };
    case 'quota-exceeded':
      throw refuse(
        'EXPORT_QUOTA_EXCEEDED',
        'The rows of this job exceed what is left of this month’s quota.',
      );
    case 'blobs-gone':
      throw new Error('bug: an input was swept within the request that put it');
    default:
      return replayOf(parts, answer);
  }
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
