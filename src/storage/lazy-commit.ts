import { sql } from 'kysely';

/**
 * A source of one row for `insert … select … from`. The transaction of the statement does not wait for the disk: a crash may lose it.
 * For values that only save work.
 */
export const lazyCommit = sql`(select set_config('synchronous_commit', 'off', true)) as lazy_commit`;
