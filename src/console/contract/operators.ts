import { z } from 'zod';
import { role } from './access.ts';
import { pageOf } from './list.ts';

export const operator = z.strictObject({
  id: z.string(),
  name: z.string(),
  role,
  /** The account of a designer or runner. */
  account: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
  created_at: z.string(),
  last_seen_at: z.string().nullable(),
  sessions: z.number(),
  is_self: z.boolean(),
});
export type Operator = z.infer<typeof operator>;
export const operatorPage = pageOf(operator);

/** A sign-in link that was just created: the only response that holds it. */
export const createdLink = z.strictObject({
  link: z.string(),
  expires_at: z.string(),
  /** How to complete a link that has no host. */
  note: z.string().optional(),
});
export type CreatedLink = z.infer<typeof createdLink>;
