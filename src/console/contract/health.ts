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
  /** How commits reach the standbys of the database server, as far as PostgreSQL tells. */
  replication: z.strictObject({
    mode: z.enum(['none', 'asynchronous', 'synchronous']),
    /** Standbys that are connected now. */
    standbys: z.number(),
    /** Commits wait for a standby, and none is connected. */
    waits: z.boolean(),
    synchronous_commit: z.string(),
    synchronous_standby_names: z.string(),
  }),
  /** Whether lists use the standby of DATABASE_READ_URL, or why the primary answers them. none: the setting is not set. */
  read_replica: z.enum(['none', 'used', 'behind', 'unavailable', 'unrelated']),
  queues: listOf(z.strictObject({ name: z.string(), depth: z.number(), oldest_seconds: z.number() })),
  /** Jobs of which no slice has started. The count stops at 1,000. */
  waiting_jobs: z.strictObject({ count: z.number(), oldest_seconds: z.number() }),
  /** Webhook deliveries that fail. Counts stop at 1,000. */
  webhooks: z.strictObject({
    /** The last attempt failed, and another one follows. */
    failing: z.number(),
    failing_since: z.string().nullable(),
    /** Given up in the last 24 hours, unless the event was delivered later. */
    given_up: z.number(),
    last_given_up_at: z.string().nullable(),
  }),
  /** Surfaces with jobs that failed in the last 24 hours, without cancelled ones. Counts stop at 1,000. */
  failed_jobs: listOf(
    z.strictObject({
      surface: z.string(),
      failed: z.number(),
      /** Jobs that settled in the same time, at most the newest 2,000 of all surfaces, and how many of these failed. */
      recent: z.strictObject({ settled: z.number(), failed: z.number() }),
      /** At least a tenth of these failed. */
      is_frequent: z.boolean(),
      /** The most frequent code first. */
      codes: listOf(z.strictObject({ code: z.string(), count: z.number() })),
    }),
  ),
  node: z.strictObject({ role: z.string(), workers: z.number() }),
  /** The processes of the installation whose last heartbeat is at most an hour ago. */
  nodes: listOf(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      version: z.string(),
      role: z.string(),
      started_at: z.string(),
      heartbeat_at: z.string(),
      /** A heartbeat is overdue: the process was killed or cannot reach the database. */
      is_missing: z.boolean(),
      /** How far the clock of its machine is ahead of the database's; negative: behind. */
      skew_ms: z.number(),
      workers: z.number(),
      running: z.number(),
      load: z.number(),
      loop_delay_ms: z.number(),
      free_bytes: z.number().nullable(),
      /** Why it is not ready. Empty: it is ready. */
      problems: listOf(z.string()),
    }),
  ),
  /** Outages of the database or the blob store that this process sees. */
  outages: listOf(z.strictObject({ service: z.string(), since: z.string() })),
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
