import { z } from 'zod';

/** What a person may be. Designers and runners belong to one account. */
export const role = z.enum(['operator', 'designer', 'runner', 'auditor']);
export type Role = z.infer<typeof role>;

/** What a route can need. `console/access/roles.ts` says who has it. */
export const need = z.enum(['self', 'view-runs', 'view-data', 'run', 'design', 'inspect', 'manage']);
export type Need = z.infer<typeof need>;
