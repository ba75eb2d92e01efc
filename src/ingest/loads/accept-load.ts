import { jsonResponse } from '#http/idempotency/wire-response.ts';
import type { Slice } from '#lib/records/slice.ts';
import type { Tx } from '#storage/database.ts';
import { insertLoad, type LoadMode, listOpenLoads, lockLoads } from '#storage/ingest/loads.ts';
import type { PayloadFormat } from '../batch/payload-slice.ts';
import type { CollectionDefinition } from '../collections/definition.ts';
import { refuse } from '../errors.ts';
import { type IngestParts, PREFIX } from '../parts.ts';
import { publicId } from '../public-id.ts';
import type { Write, Written } from '../requests/answer-once.ts';
import { LOAD_KIND, type LoadInput } from './load-input.ts';

export interface NewLoad {
  readonly definition: CollectionDefinition;
  readonly mode: LoadMode;
  readonly format: PayloadFormat;
  /** Digest of the payload in the blob store. */
  readonly payload: string;
  readonly slices: readonly Slice[];
  readonly items: number;
}

/** Accepts a job for a payload. Job, stored response and the claim of the collection commit together. */
export async function acceptLoad(parts: IngestParts, write: Write, load: NewLoad): Promise<Written> {
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
  return write.accept({
    kind: LOAD_KIND,
    input,
    blobs: [payload],
    response: ({ id }) => {
      const url = jobUrl(parts, id);
      const body = { job_id: publicId('job', id), status_url: url, accepted_items: load.items };
      return jsonResponse(202, body, { location: url, 'retry-after': '1' });
    },
    alongside: async (tx, { id }) => {
      await claimLoad(tx, scope, mode);
      const [first] = slices;
      if (first !== undefined) parts.lookahead.beginEarly(id, input, first);
      await insertLoad(tx, scope, id, mode);
    },
    refused: () => refuse('service-unavailable', 'The payload could not be stored. Retry the request.'),
  });
}

/** Checks that the load may start: a refresh runs alone, while several bulk loads may run at once. */
async function claimLoad(
  tx: Tx,
  scope: { readonly partnerNo: number; readonly collection: number },
  mode: LoadMode,
): Promise<void> {
  await lockLoads(tx, scope);
  const open = await listOpenLoads(tx, scope);
  if (mode === 'full-refresh' && open.length > 0)
    throw refuse('state-conflict', 'A bulk job of this collection is running.');
  // An upsert that became a job because of its size may run during a refresh, like any upsert.
  if (mode === 'bulk' && open.includes('full-refresh'))
    throw refuse('state-conflict', 'A full refresh of this collection is running.');
}

export function jobUrl(parts: IngestParts, jobId: string): string {
  return `${parts.settings.urlBase}${PREFIX}/jobs/${publicId('job', jobId)}`;
}
