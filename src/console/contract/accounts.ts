import { z } from 'zod';
import { pageOf } from './list.ts';

export const account = z.strictObject({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  active: z.boolean(),
  created_at: z.string(),
});
export type Account = z.infer<typeof account>;
export const accountPage = pageOf(account);

/** Whether the request created the default account. */
export const defaultAccount = z.strictObject({ created: z.boolean() });
export type DefaultAccount = z.infer<typeof defaultAccount>;

export const plan = z.strictObject({
  name: z.string(),
  /** Null: unlimited. */
  rows_per_month: z.number().nullable(),
  /** Null: the limit of the installation. */
  max_pdf_bytes: z.number().nullable(),
  /** Null: unlimited. */
  max_stored_bytes: z.number().nullable(),
  default: z.boolean(),
});
export type Plan = z.infer<typeof plan>;
export const planPage = pageOf(plan);
