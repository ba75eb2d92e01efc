import { sql } from 'kysely';

/**
 * Begins a statement that reads from `not_awaited` and commits without waiting for the disk or a standby. A crash of the
 * database can lose its effect. Only outside a transaction, and only if that loss is harmless.
 */
export const notAwaited = sql.raw(
  `with not_awaited as materialized (select set_config('synchronous_commit', 'off', true))`,
);
