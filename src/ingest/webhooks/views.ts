import type { z } from 'zod';
import type { ReceiverRecord } from '#storage/ingest/webhook-receivers.ts';
import { publicId } from '../public-id.ts';
import type { webhookSchema } from './contract.ts';

export function showReceiver(receiver: ReceiverRecord, now: Date): z.output<typeof webhookSchema> {
  const { old_until: until } = receiver;
  return {
    webhook_id: publicId('whk', receiver.id),
    url: receiver.url,
    events: receiver.events,
    old_secret_valid_until: until !== null && until > now ? until.toISOString() : null,
    created_at: receiver.created_at.toISOString(),
  };
}
