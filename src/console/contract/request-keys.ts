import { z } from 'zod';
import { jobState } from './jobs.ts';
import { listOf } from './list.ts';

/** The first request under a key (Idempotency-Key, correlation id), and its job or stored response. */
export const requestKey = z.strictObject({
  key: z.string(),
  surface: z.string(),
  scope: z.string(),
  account: z.string(),
  job: z
    .strictObject({
      id: z.string(),
      public_id: z.string(),
      kind: z.string(),
      state: jobState.nullable(),
    })
    .nullable(),
  response: z.strictObject({ status: z.number(), media_type: z.string().nullable() }).nullable(),
  first_request_id: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string(),
  body_parts: z.record(z.string(), z.string()),
});
export type RequestKey = z.infer<typeof requestKey>;

/** A request that was rejected because it used the key with other content. */
export const keyConflict = z.strictObject({
  at: z.string(),
  account: z.string(),
  surface: z.string(),
  request_id: z.string(),
  differs_in: listOf(z.string()),
});
export type KeyConflict = z.infer<typeof keyConflict>;

export const foundRequestKeys = z.strictObject({
  items: listOf(requestKey),
  conflicts: listOf(keyConflict),
  next_cursor: z.null(),
});
export type FoundRequestKeys = z.infer<typeof foundRequestKeys>;
