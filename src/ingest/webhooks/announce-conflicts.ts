import type { Tx } from '#storage/database.ts';
import type { IngestKindParts } from '../parts.ts';
import type { BatchContext, BatchResult } from '../pipeline/apply-batch.ts';
import { publicId } from '../public-id.ts';
import { findTargets } from './find-targets.ts';

/** Maximum number of records in one event. The others are only counted; `GET /quarantine` lists them. */
const MAX_NAMED = 100;

export interface Origin {
  readonly accountId: string;
  readonly partnerId: string;
  readonly jobId: string | null;
}

/** Announces one event per request or slice that quarantined items, in the same transaction. */
export async function announceConflicts(
  parts: IngestKindParts,
  tx: Tx,
  origin: Origin,
  context: BatchContext,
  { quarantined }: BatchResult,
): Promise<void> {
  if (quarantined.length === 0) return;
  const type = 'master.normalization-conflict';
  const targets = await findTargets(parts, tx, context.partnerNo, type);
  if (targets.length === 0) return;
  const eventId = parts.ids.uuid();
  const body = {
    event_id: eventId,
    type,
    occurred_at: context.now.toISOString(),
    partner_id: origin.partnerId,
    data: {
      collection: context.definition.path,
      correlation_id: context.correlationId,
      job_id: origin.jobId === null ? null : publicId('job', origin.jobId),
      count: quarantined.length,
      quarantined: quarantined.slice(0, MAX_NAMED).map((record) => ({
        quarantine_id: publicId('qn', record.quarantineId),
        source_id: record.sourceId,
        source_version: record.version,
        reason: record.reason,
      })),
    },
  };
  await parts.outbox.record(tx, {
    surface: 'ingest',
    type,
    body,
    targets,
    eventId,
    accountId: origin.accountId,
    jobId: null,
    occurredAt: context.now,
  });
}
