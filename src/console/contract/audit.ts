import { z } from 'zod';
import { pageOf } from './list.ts';

/** One action of an operator, as the list shows it. */
export const operatorAction = z.strictObject({
  id: z.string(),
  seq: z.number(),
  at: z.string(),
  operator: z.strictObject({ id: z.string(), name: z.string() }),
  action: z.string(),
  account: z.string().nullable(),
  target: z.string().nullable(),
  details: z.unknown(),
  request_id: z.string(),
  /** Hexadecimal SHA-256 over this entry and the hash of the entry before it. */
  hash: z.string(),
});
export type OperatorAction = z.infer<typeof operatorAction>;
export const operatorActionPage = pageOf(operatorAction);
