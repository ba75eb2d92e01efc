import { sql } from 'kysely';
import { ReadOnlyServerError } from '../check-server.ts';
import type { Db } from '../database.ts';
import { ADVISORY_SPACE } from '../embedded/connect.ts';

const MIGRATING = 4;

/**
 * Runs `work` while no other node migrates. Returns undefined if another one does. The lock belongs to a transaction, so
 * it ends with it even behind a pooler.
 */
export async function withMigrationLock<T>(db: Db, work: () => Promise<T>): Promise<T | undefined> {
  return await db.transaction().execute(async (holder) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(holder);
    // Building an index waits for every open snapshot. So no node waits for the lock in a statement, and the statement has no
    // parameters: a portal of the extended protocol would keep its snapshot until the transaction ends.
    const { rows } = await sql
      .raw<{ held: boolean; standby: boolean }>(
        `select pg_try_advisory_xact_lock(${ADVISORY_SPACE}, ${MIGRATING}) as held, pg_is_in_recovery() as standby`,
      )
      .execute(holder);
    // A standby grants the lock even while another node holds it on the primary.
    if (rows[0]?.standby) throw new ReadOnlyServerError();
    return rows[0]?.held ? await work() : undefined;
  });
}

/**
 * Describes the oldest open transactions besides that of the migration lock. PostgreSQL shows those of other roles only
 * to privileged roles.
 */
export async function describeOpenTransactions(db: Db): Promise<string> {
  const { rows } = await sql<{ pid: number; program: string; seconds: number }>`
    select pid, application_name as program, extract(epoch from clock_timestamp() - xact_start)::int as seconds
    from pg_stat_activity a
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
      and not exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory'
                      and l.classid = ${ADVISORY_SPACE}::int::oid and l.objid = ${MIGRATING}::int::oid)
    order by xact_start limit 3`.execute(db);
  if (rows.length === 0) return 'the transactions that held it have ended or belong to another role';
  const sessions = rows.map(({ pid, program, seconds }) => `process ${pid} (${program}) for ${seconds} s`);
  return `open transactions: ${sessions.join(', ')}`;
}
