import type { Tx } from '#storage/database.ts';
import { insertLoad, type LoadMode, listOpenLoads, lockLoads } from '#storage/ingest/loads.ts';
import type { RequestKeyRecord } from '#storage/request-keys.ts';
import type { PayloadFormat, PayloadSlice } from '../batch/payload-slice.ts';
import type { CollectionDefinition } from '../collections/definition.ts';
import { refuse } from '../errors.ts';
import { type IngestParts, PREFIX } from '../parts.ts';
import { publicId } from '../public-id.ts';
import { type Answer, identityOf, jsonAnswer, type Write, withinWait } from '../requests/answer-once.ts';
import { LOAD_KIND, type LoadInput } from './load-input.ts';

export interface NewLoad {
  readonly definition: CollectionDefinition;
  readonly mode: LoadMode;
  readonly format: PayloadFormat;
  /** Digest of the payload in the blob store. */
  readonly payload: string;
  readonly slices: readonly PayloadSlice[];
  readonly items: number;
}

/** Turns a payload into a job; job, stored answer and the collection's claim commit together. */
export async function acceptLoad(
  parts: IngestParts,
  write: Write,
  load: NewLoad,
): Promise<Answer | RequestKeyRecord> {
  const { caller, correlationId } = write;
  const { definition, mode, format, payload, slices } = load;
  const scope = { partnerNo: caller.partnerNo, collection: definition.no };
  const input: LoadInput = {
    partnerNo: caller.partnerNo,
    partnerId: caller.partnerId,
    collection: definition.path,
    mode,
    correlationId,
    warehouseId: caller.warehouseId,
    warehouses: caller.warehouses,
    format,
    payload,
    slices,
  };
  const answerOf = (jobId: string): Answer => {
    const url = jobUrl(parts, jobId);
    const body = { job_id: publicId('job', jobId), status_url: url, accepted_items: load.items };
    return jsonAnswer(202, body, { location: url, 'retry-after': '1' });
  };
  const accepted = await withinWait(parts.settings.correlationWaitMs, (started) =>
    parts.engine.accept({
      accountId: caller.accountId,
      kind: LOAD_KIND,
      input,
      identity: identityOf(parts, write),
      blobs: [payload],
      response: ({ id }) => answerOf(id),
      alongside: async (tx, { id }) => {
        started();
        await claimLoad(tx, scope, mode);
        await insertLoad(tx, scope, id, mode);
      },
    }),
  );
  if (accepted.outcome === 'accepted') return answerOf(accepted.job.id);
  if (accepted.outcome === 'replay' || accepted.outcome === 'mismatch') return accepted.record;
  throw refuse('service-unavailable', 'The payload could not be kept; send it again.');
}

/** A refresh runs alone; several bulk loads may run side by side, their items are guarded one by one. */
async function claimLoad(
  tx: Tx,
  scope: { readonly partnerNo: number; readonly collection: number },
  mode: LoadMode,
): Promise<void> {
  await lockLoads(tx, scope);
  const open = await listOpenLoads(tx, scope);
  if (mode === 'full-refresh' && open.length > 0)
    throw refuse('state-conflict', 'A bulk job of this collection is in flight.');
  // An upsert that is too large to be answered at once is still an upsert: a refresh lets it pass.
  if (mode === 'bulk' && open.includes('full-refresh'))
    throw refuse('state-conflict', 'A full refresh of this collection is in flight.');
}

export function jobUrl(parts: IngestParts, jobId: string): string {
  return `${parts.settings.urlBase}${PREFIX}/jobs/${publicId('job', jobId)}`;
}
