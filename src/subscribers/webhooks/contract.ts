import { z } from 'zod';
import { itemOf, label, self, timestamp } from '../contract.ts';

const ID = '0190a3c4-0000-7000-8000-0000000000e5';
const URL_EXAMPLE = 'https://hooks.example.com/subscribers';
const subscriptionExample = {
  id: ID,
  name: 'hooks.example.com',
  url: URL_EXAMPLE,
  status: 'active',
  event_patterns: ['subscriber.*'],
  signing_secret_preview: 'whsec_…b0Q=',
  delivery_attempts: 0,
  last_delivery_status: null,
  last_delivery_error: null,
  last_delivered_at: null,
  last_failed_at: null,
  created_at: '2026-11-17T09:15:00.000Z',
  updated_at: '2026-11-17T09:15:00.000Z',
  self: `/v1/webhook-subscriptions/${ID}`,
};
export const subscription = z
  .object({
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
  })
  .meta({
    id: 'WebhookSubscription',
    description: 'A webhook subscription',
    examples: [subscriptionExample],
  });
export const withSecret = itemOf(
  z.object({ subscription, signing_secret: z.string() }).meta({
    id: 'WebhookSubscriptionWithSecret',
    description: 'A webhook subscription with its signing secret, which is shown only here',
    examples: [
      { subscription: subscriptionExample, signing_secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
    ],
  }),
);
export const deleted = itemOf(
  z.object({ id: z.string(), deleted: z.literal(true) }).meta({
    id: 'DeletedWebhookSubscription',
    description: 'The subscription was deleted',
    examples: [{ id: ID, deleted: true }],
  }),
);

const fields = {
  name: label(200),
  url: z.string().max(2_048).describe('Public https address of the receiver'),
  event_patterns: z
    .array(z.string())
    .min(1)
    .max(50)
    .describe('Event types, or patterns such as subscriber.*'),
  status: z.enum(['active', 'disabled']),
};
export const createBody = z
  .object({ ...fields, name: fields.name.optional(), status: fields.status.optional() })
  .meta({
    id: 'CreateWebhookSubscription',
    examples: [{ url: URL_EXAMPLE, event_patterns: ['subscriber.*'] }],
  });
export const updateBody = z
  .object(fields)
  .partial()
  .meta({ id: 'UpdateWebhookSubscription', examples: [{ status: 'disabled' }] });
export const params = z.object({
  webhook_subscription_id: z.string().meta({ description: 'Id of the webhook subscription', examples: [ID] }),
});
