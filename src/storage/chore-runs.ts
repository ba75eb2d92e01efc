import { sql } from 'kysely';
import type { Db } from './database.ts';
import { notAwaited } from './not-awaited.ts';

/** A held lock must be confirmed this often; after as long as `SILENCE_MS` without, the server ends its session. */
const CONFIRM_MS = 10_000;
/** A machine that disappears does not close its connections, and the operating system notices only after hours. */
const SILENCE_MS = 60_000;

interface ChoreLock {
  readonly locked: boolean;
  readonly ran_at: Date | null;
}

/**
 * Runs `run` while no other process runs the chore of that name. Returns undefined, and runs nothing, if another one does. `run` receives the time of the last
 * run. The lock belongs to a transaction, so it works behind a pooler and ends with its connection. The transaction writes
 * nothing and holds no snapshot, so it does not delay vacuum.
 */
export async function withChoreLock<T>(
  db: Db,
  name: string,
  run: (ranAt: Date | null) => Promise<T>,
  { confirmMs = CONFIRM_MS, silenceMs = SILENCE_MS } = {},
): Promise<T | undefined> {
  const tx = await db.startTransaction().execute();
  let confirming: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  try {
    const { rows } = await sql<ChoreLock>`
      select pg_try_advisory_xact_lock(hashtextextended(${`rowpress chore ${name}`}, 0)) as locked,
        (select ran_at from chores where name = ${name}) as ran_at,
        set_config('idle_in_transaction_session_timeout', ${String(silenceMs)}, true)`.execute(tx);
    if (rows[0]?.locked !== true) return undefined;
    // A connection that is lost rejects here. The chore continues: chores are safe on all nodes at once.
    const confirm = () => {
      confirming = sql`select`.execute(tx).catch(() => clearInterval(timer));
    };
    timer = setInterval(confirm, confirmMs).unref();
    return await run(rows[0].ran_at);
  } finally {
    clearInterval(timer);
    await confirming;
    await tx
      .rollback()
      .execute()
      .catch(() => {});
  }
}

/** Stores when a chore ran. A lost time only repeats work. */
export async function noteChoreRun(db: Db, name: string, ranAt: Date): Promise<void> {
  await sql`${notAwaited}
    insert into chores (name, ran_at) select ${name}, ${ranAt}::timestamptz from not_awaited
    on conflict (name) do update set ran_at = excluded.ran_at`.execute(db);
}
