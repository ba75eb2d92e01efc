import { z } from 'zod';
import { expiringKey } from './keys.ts';
import { listOf } from './list.ts';

export const health = z.strictObject({
  database: z.strictObject({
    version: z.string(),
    size_bytes: z.number(),
    connections: z.number(),
    max_connections: z.number(),
  }),
  queues: listOf(z.strictObject({ name: z.string(), depth: z.number(), oldest_seconds: z.number() })),
  node: z.strictObject({ role: z.string(), workers: z.number() }),
  /** The layers around the programs that read uploads, and whether each is active. */
  sandbox: z.record(z.string(), z.boolean()),
  disk: z.strictObject({
    blob_count: z.number(),
    blob_bytes: z.number(),
    free_bytes: z.number().nullable(),
    total_bytes: z.number().nullable(),
    /** Free bytes below which the server accepts no new work; 0: no floor. */
    floor_bytes: z.number(),
  }),
  memory_budget: z.strictObject({ used_bytes: z.number(), total_bytes: z.number() }),
  prepared_bases: z.strictObject({ count: z.number(), bytes: z.number() }),
  versions: z.strictObject({ rowpress: z.string(), node: z.string(), postgres: z.string() }),
  started_at: z.string(),
  uptime_seconds: z.number(),
  /** Failures of background work in the last hour, as this process has recorded them. */
  background_errors: listOf(
    z.strictObject({ kind: z.string(), message: z.string(), count: z.number(), last_at: z.string() }),
  ),
  /** The next key to expire comes first. */
  expiring_keys: listOf(expiringKey),
});
export type Health = z.infer<typeof health>;
