import type { ExpiryWarning } from '#engine/keys/warn-expiring.ts';
import type { Tx } from '#storage/database.ts';
import { findPartner } from '#storage/ingest/partners.ts';
import type { IngestKindParts } from '../parts.ts';
import { findTargets } from './find-targets.ts';

const TYPE = 'ingest.credential.expiring';

/** Announces a key that expires soon, to the receivers of its partner that subscribed to this event by name. */
export async function announceExpiringKey(parts: IngestKindParts, tx: Tx, key: ExpiryWarning): Promise<void> {
  if (key.surface !== 'ingest' || key.partner_id === null) return;
  const partnerNo = await findPartner(tx, key.account_id, key.partner_id);
  const targets = partnerNo === undefined ? [] : await findTargets(parts, tx, partnerNo, TYPE);
  if (targets.length === 0) return;
  const eventId = parts.ids.uuid();
  const occurredAt = parts.clock.now();
  const body = {
    event_id: eventId,
    type: TYPE,
    occurred_at: occurredAt.toISOString(),
    partner_id: key.partner_id,
    data: {
      key_id: key.id,
      warehouses: key.warehouses,
      expires_at: key.expires_at.toISOString(),
      within_days: key.days,
    },
  };
  await parts.outbox.record(tx, {
    surface: 'ingest',
    type: TYPE,
    body,
    targets,
    eventId,
    accountId: key.account_id,
    jobId: null,
    occurredAt,
  });
}
