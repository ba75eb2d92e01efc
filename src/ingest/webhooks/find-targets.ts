import type { WebhookTarget } from '#engine/job-kind.ts';
import { sealSecrets } from '#engine/webhooks/webhook-secrets.ts';
import type { Db } from '#storage/database.ts';
import { listReceiversOf } from '#storage/ingest/webhook-receivers.ts';
import type { IngestKindParts } from '../parts.ts';

/** The events of a receiver that names none. */
export const defaultEventTypes = [
  'master.normalization-conflict',
  'ingest.job.completed',
  'ingest.job.failed',
] as const;
/** The last event is sent only to receivers that name it, because older receivers do not expect it. */
export const eventTypes = [...defaultEventTypes, 'ingest.credential.expiring'] as const;
export type EventType = (typeof eventTypes)[number];

/** Returns the receivers of an event with their current secrets, and the old secret during a rotation. */
export async function findTargets(
  parts: Pick<IngestKindParts, 'secrets' | 'clock'>,
  db: Db,
  partnerNo: number,
  type: EventType,
): Promise<WebhookTarget[]> {
  const now = parts.clock.now();
  return (await listReceiversOf(db, partnerNo, type)).map((receiver) => {
    const current = parts.secrets.open(receiver.secret);
    const old =
      receiver.old_secret !== null && receiver.old_until !== null && receiver.old_until > now
        ? [parts.secrets.open(receiver.old_secret)]
        : [];
    return {
      url: receiver.url,
      scheme: 'ingest' as const,
      secrets: sealSecrets(parts.secrets, [current, ...old]),
    };
  });
}
