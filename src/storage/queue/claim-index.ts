import type pg from 'pg';

/** The order in which entries are claimed. pg-boss has no index by the time from which an entry may run. */
const CREATE = `create index if not exists rowpress_claims on pgboss.job_common (name, priority, start_after)
  where state < 'active' and not blocked`;

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Creates the index of the claims if it does not exist, after pg-boss has created its table. Gives up after a second if
 * a transaction holds the table, because waiting would block every worker, and returns false. Claims work without it.
 */
export async function createClaimIndex(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ there: boolean }>(
    `select to_regclass('pgboss.rowpress_claims') is not null as there`,
  );
  if (rows[0]?.there === true) return true;
  const client = await pool.connect();
  try {
    await client.query('begin');
    // Nodes that start together would otherwise both create it, and one would fail.
    await client.query(`select pg_advisory_xact_lock(hashtext('rowpress_claims'))`);
    await client.query(`set local lock_timeout = '1s'`);
    await client.query(CREATE);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback');
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  } finally {
    client.release();
  }
}
