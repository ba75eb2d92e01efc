import { z } from 'zod';
import { listOf, pageOf } from './list.ts';

/** One event to be delivered to one receiver. */
export const delivery = z.strictObject({
  id: z.string(),
  event_id: z.string(),
  event: z.string(),
  surface: z.string(),
  job_id: z.string().nullable(),
  account: z.string(),
  target: z.string(),
  scheme: z.string(),
  state: z.enum(['pending', 'delivered', 'exhausted']),
  attempts: z.number(),
  last_status: z.number().nullable(),
  last_error: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
  delivered_at: z.string().nullable(),
  created_at: z.string(),
});
export type Delivery = z.infer<typeof delivery>;
export const deliveryPage = pageOf(delivery);

export const attempt = z.strictObject({
  n: z.number(),
  at: z.string(),
  /** Null while the attempt runs. */
  ms: z.number().nullable(),
  status: z.number().nullable(),
  error: z.string().nullable(),
});
export type Attempt = z.infer<typeof attempt>;

/** A delivery with every attempt in place of their number. */
export const deliveryDetail = z.strictObject({
  ...delivery.shape,
  attempts: listOf(attempt),
  /** The exact text that every attempt sends. */
  body: z.string().nullable(),
});
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

export const webhookTest = z.strictObject({
  delivery: deliveryDetail,
  attempt: attempt.nullable(),
  /** The secret that signed the event; absent if the request named one. */
  secret: z.string().optional(),
});
export type WebhookTest = z.infer<typeof webhookTest>;
