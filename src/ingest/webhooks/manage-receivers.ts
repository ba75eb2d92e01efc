import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { judgeTarget } from '#engine/webhooks/target-guard.ts';
import { jsonResponse } from '#http/idempotency/wire-response.ts';
import type { Db } from '#storage/database.ts';
import {
  findReceiver,
  insertReceiver,
  listReceivers,
  lockReceivers,
  type ReceiverRecord,
  removeReceiver,
  rotateReceiverSecret,
} from '#storage/ingest/webhook-receivers.ts';
import { refuse } from '../errors.ts';
import type { IngestParts } from '../parts.ts';
import { parsePublicId, publicId } from '../public-id.ts';
import type { Write, Written } from '../requests/answer-once.ts';
import { readJsonBody } from '../requests/json-body.ts';
import { identifyCaller, requireWholePartner } from '../requests/partner.ts';
import { type secretSchema, webhookBody, type webhookListSchema } from './contract.ts';
import { defaultEventTypes } from './find-targets.ts';
import { showReceiver } from './views.ts';

/** Period after a rotation in which both secrets sign. */
const ROTATION_MS = 86_400_000;
const MAX_RECEIVERS = 20;

async function getReceiver(db: Db, partnerNo: number, id: string): Promise<ReceiverRecord> {
  const uuid = parsePublicId('whk', id);
  const receiver = uuid === undefined ? undefined : await findReceiver(db, partnerNo, uuid);
  if (receiver === undefined) throw refuse('not-found', 'Webhook not found.');
  return receiver;
}

/** `POST /webhooks`. The response is stored for replays and so omits the secret, which has its own route. */
export async function createReceiver(parts: IngestParts, write: Write): Promise<Written> {
  requireWholePartner(write.caller, 'Webhooks');
  const { url, events } = await readJsonBody(write, webhookBody);
  const verdict = judgeTarget(url, parts.webhookAllow);
  if (!verdict.ok) throw refuse('business-invalid', `url: ${verdict.reason}.`);
  const { partnerNo } = write.caller;
  return write.run(async (tx) => {
    await lockReceivers(tx, partnerNo);
    if ((await listReceivers(tx, partnerNo)).length >= MAX_RECEIVERS)
      throw refuse('state-conflict', `There are ${MAX_RECEIVERS} webhooks already.`);
    const id = parts.ids.uuid();
    const now = parts.clock.now();
    await insertReceiver(tx, {
      id,
      partner_no: partnerNo,
      url,
      events: [...(events ?? defaultEventTypes)],
      secret: parts.secrets.seal(newSecret(parts)),
      created_at: now,
    });
    return jsonResponse(201, showReceiver(await getReceiver(tx, partnerNo, publicId('whk', id)), now));
  });
}

/** Two random UUIDs: 244 bits. */
function newSecret({ ids }: IngestParts): string {
  return `whsec_${ids.randomUuid()}${ids.randomUuid()}`.replaceAll('-', '');
}

/** `POST /webhooks/{id}/rotate-secret`. */
export async function rotateSecret(parts: IngestParts, write: Write, id: string): Promise<Written> {
  const { partnerNo } = write.caller;
  requireWholePartner(write.caller, 'Webhooks');
  return write.run(async (tx) => {
    const receiver = await getReceiver(tx, partnerNo, id);
    const now = parts.clock.now();
    const secret = parts.secrets.seal(newSecret(parts));
    await rotateReceiverSecret(tx, receiver.id, secret, new Date(now.getTime() + ROTATION_MS));
    return jsonResponse(200, showReceiver(await getReceiver(tx, partnerNo, id), now));
  });
}

/** `POST /webhooks/{id}/remove`: queued events are still delivered. */
export async function removeWebhook(parts: IngestParts, write: Write, id: string): Promise<Written> {
  const { partnerNo } = write.caller;
  requireWholePartner(write.caller, 'Webhooks');
  return write.run(async (tx) => {
    const receiver = await getReceiver(tx, partnerNo, id);
    const now = parts.clock.now();
    await removeReceiver(tx, receiver.id, now);
    return jsonResponse(200, showReceiver(receiver, now));
  });
}

export async function listWebhooks(
  parts: IngestParts,
  request: FastifyRequest,
): Promise<z.output<typeof webhookListSchema>> {
  const caller = await identifyCaller(parts, request, 'read');
  requireWholePartner(caller, 'Webhooks');
  const { partnerNo } = caller;
  const now = parts.clock.now();
  const data = (await listReceivers(parts.database.db, partnerNo)).map((receiver) =>
    showReceiver(receiver, now),
  );
  return { data, next_cursor: null };
}

/** `GET /webhooks/{id}/secret`. */
export async function readSecret(
  parts: IngestParts,
  request: FastifyRequest,
  id: string,
): Promise<z.output<typeof secretSchema>> {
  const caller = await identifyCaller(parts, request, 'read');
  requireWholePartner(caller, 'Webhooks');
  const receiver = await getReceiver(parts.database.db, caller.partnerNo, id);
  return { webhook_id: publicId('whk', receiver.id), secret: parts.secrets.open(receiver.secret) };
}
