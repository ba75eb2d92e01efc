import type { JobKind } from '#engine/job-kind.ts';
import type { Tx } from '#storage/database.ts';
import { insertSliceResults, sumSliceResults } from '#storage/ingest/loads.ts';
import { endRefresh, markSeen, tombstoneUnseen } from '#storage/ingest/tombstone-items.ts';
import { getCollection } from '../collections/registry.ts';
import type { IngestKindParts } from '../parts.ts';
import { applyBatch } from '../pipeline/apply-batch.ts';
import { idSequence, publicId } from '../public-id.ts';
import { announceConflicts } from '../webhooks/announce-conflicts.ts';
import { findTargets } from '../webhooks/find-targets.ts';
import { LOAD_KIND, type LoadedSlice, type LoadInput, type LoadSlice } from './load-input.ts';
import { packOutcomes } from './packed-outcomes.ts';
import type { PreparedSlice } from './prepare-slice.ts';

/**
 * The job kind of bulk loads. Slices run in order, one at a time, because an item may refer to an earlier item of its
 * payload. All database changes of a slice happen in the transaction that finishes it: items, quarantine, results and
 * counts commit together, or the slice runs again.
 */
export function loadKind(parts: IngestKindParts): JobKind<LoadInput, LoadSlice, LoadedSlice> {
  const { lookahead } = parts;
  return {
    name: LOAD_KIND,

    plan: ({ slices }) => ({
      ordered: true,
      slices: slices.map((slice, n) => {
        const next = slices[n + 1];
        return { input: { ...slice, ...(next && { next }) }, rows: slice.rows };
      }),
    }),

    async runSlice({ jobId, accountId, input, slice, n }) {
      const prepared = await lookahead.take(jobId, input, slice);
      return {
        result: { items: prepared.batch.size },
        rowsFailed: prepared.batch.rejected.length,
        write: async (tx) => {
          if (slice.next !== undefined) lookahead.begin(jobId, input, slice.next);
          await writeSlice(parts, tx, { jobId, accountId, n, input }, prepared);
        },
      };
    },

    async finish({ job, input }) {
      if (input.mode !== 'full-refresh') return { state: 'completed' };
      const refresh = {
        partnerNo: input.partnerNo,
        collection: getCollection(input.collection).no,
        correlationId: input.correlationId,
        warehouseId: input.warehouseId,
        acceptedAt: job.created_at,
      };
      const write = async (tx: Tx) => {
        const tombstoned = await tombstoneUnseen(
          tx,
          { ...refresh, now: parts.clock.now() },
          { jobId: job.id },
        );
        await endRefresh(tx, job.id, tombstoned);
      };
      return { state: 'completed', write };
    },

    failure: (reason, { job, input }) => ({
      state: 'failed',
      error: {
        code: reason === 'cancelled' ? 'job-cancelled' : 'job-exhausted',
        message:
          reason === 'cancelled'
            ? 'The job was cancelled. Items committed so far are kept.'
            : 'The job failed after too many attempts. Items committed so far are kept.',
      },
      ...(input.mode === 'full-refresh' && { write: (tx) => endRefresh(tx, job.id, null) }),
    }),

    async announce({ job, input, eventId }, tx) {
      const type = job.state === 'completed' ? 'ingest.job.completed' : 'ingest.job.failed';
      const targets = await findTargets(parts, tx, input.partnerNo, type);
      if (targets.length === 0) return undefined;
      const body = {
        event_id: eventId,
        type,
        occurred_at: job.settled_at?.toISOString(),
        partner_id: input.partnerId,
        data: {
          job_id: publicId('job', job.id),
          collection: input.collection,
          mode: input.mode,
          correlation_id: input.correlationId,
          summary: await sumSliceResults(tx, job.id),
          ...(job.error_code !== null && { error: { code: job.error_code, detail: job.error_message } }),
        },
      };
      return { surface: 'ingest', type, body, targets };
    },
  };
}

interface SliceOf {
  readonly jobId: string;
  readonly accountId: string;
  readonly n: number;
  readonly input: LoadInput;
}

async function writeSlice(
  parts: IngestKindParts,
  tx: Tx,
  { jobId, accountId, n, input }: SliceOf,
  { batch, ordered, distinct, asNew }: PreparedSlice,
): Promise<void> {
  const context = {
    partnerNo: input.partnerNo,
    definition: getCollection(input.collection),
    correlationId: input.correlationId,
    warehouseId: input.warehouseId,
    warehouses: input.warehouses ?? null,
    now: parts.clock.now(),
    nextId: idSequence(parts.ids),
  };
  const copy = { database: parts.database, ordered, distinct };
  const outcome = await applyBatch(tx, context, batch, copy);
  const results = outcome.allNew ? asNew : packOutcomes(outcome.outcomes());
  await insertSliceResults(tx, jobId, n, outcome.summary, results);
  if (input.mode === 'full-refresh') {
    const ids = [...batch.items, ...batch.rejected].flatMap(({ sourceId }) => sourceId ?? []);
    await markSeen(tx, jobId, ids);
  }
  await announceConflicts(parts, tx, { accountId, partnerId: input.partnerId, jobId }, context, outcome);
  if (outcome.summary.accepted > 0) parts.onAccepted(input.partnerNo);
}
