import { z } from 'zod';
import { itemOf, label, self, timestamp } from '../contract.ts';

export const subscription = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  status: z.enum(['active', 'disabled']),
  event_patterns: z.array(z.string()),
  signing_secret_preview: z.string(),
  delivery_attempts: z.number().int(),
  last_delivery_status: z.enum(['delivered', 'failed']).nullable(),
  last_delivery_error: z.string().nullable(),
  last_delivered_at: timestamp.nullable(),
  last_failed_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  self,
});
export const withSecret = itemOf(z.object({ subscription, signing_secret: z.string() }));

export const fields = {
  name: label(200),
  url: z.string().max(2_048),
  event_patterns: z.array(z.string()).min(1).max(50),
  status: z.enum(['active', 'disabled']),
};
export const params = z.object({ webhook_subscription_id: z.string() });
