import { z } from 'zod';
import { pageOf } from './list.ts';

/** The screen of the web app that shows what an entry is about. */
export const auditLink = z.strictObject({
  kind: z.enum(['account', 'key', 'job', 'delivery', 'operator']),
  name: z.string(),
  path: z.string(),
});
export type AuditLink = z.infer<typeof auditLink>;

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
  link: auditLink.nullable(),
  request_id: z.string(),
  /** Hexadecimal SHA-256 over this entry and the hash of the entry before it. */
  hash: z.string(),
});
export type OperatorAction = z.infer<typeof operatorAction>;
export const operatorActionPage = pageOf(operatorAction);
