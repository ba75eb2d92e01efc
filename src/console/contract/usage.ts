import { z } from 'zod';
import { listOf } from './list.ts';

export const dayUsage = z.strictObject({
  /** A day in UTC, such as `2026-01-31`. */
  date: z.string(),
  jobs: z.number(),
  rows: z.number(),
  failed_rows: z.number(),
});
export type DayUsage = z.infer<typeof dayUsage>;

export const quota = z.strictObject({
  plan: z.string(),
  /** Null: unlimited. */
  rows_per_month: z.number().nullable(),
  used: z.number(),
  /** Rows of jobs that have not settled. */
  reserved: z.number(),
  resets_at: z.string(),
  /** Inputs, outputs and uploads that the account stores now. */
  stored_bytes: z.number(),
});
export type Quota = z.infer<typeof quota>;

export const usage = z.strictObject({
  account: z.string().nullable(),
  days: listOf(dayUsage),
  /** Null if the response covers all accounts. */
  quota: quota.nullable(),
});
export type Usage = z.infer<typeof usage>;
