import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { backoffMs } from '#lib/backoff.ts';
import { systemClock } from '#lib/clock.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { Db } from '../database.ts';
import type { MigrationFile } from './migration-files.ts';
import { describeOpenTransactions } from './migration-lock.ts';

/**
 * How long a statement may wait for a lock. While it waits, every later statement on that table waits behind it, so the
 * wait and the change together must take about a second.
 */
const LOCK_TIMEOUT_MS = 900;
/** Pauses between two attempts, in which the statements that waited run. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 3_000;

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

export interface Patience {
  /** How long a migration may wait for locks before it fails. */
  readonly patienceMs: number;
  /** Receives a message whenever a lock was not free. */
  readonly onWait: (message: string) => void;
}

/** Applies one migration and records it. Gives up a lock that is not free within a second and tries again. */
export async function applyMigration(db: Db, file: MigrationFile, patience: Patience): Promise<void> {
  const giveUpAt = systemClock.now().getTime() + patience.patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return file.inTransaction
        ? await applyInTransaction(db, file)
        : await applyOutside(db, file, patience.patienceMs);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK_DETECTED) throw error;
      const holders = await describeOpenTransactions(db);
      const pause = backoffMs(attempt, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
      if (systemClock.now().getTime() + pause > giveUpAt)
        throw new OperatorError(
          `The migration ${file.name} could not lock a table within ${Math.round(patience.patienceMs / 1000)} s: ${holders}. ` +
            'End that session or wait for it, then start again. Nothing of this migration was applied.',
        );
      patience.onWait(`the migration ${file.name} waits for a lock: ${holders}`);
      await sleep(pause);
    }
  }
}

async function applyInTransaction(db: Db, { name, text, minimum }: MigrationFile): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql.raw(`set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local statement_timeout = 0`).execute(tx);
    await sql.raw(text).execute(tx);
    if (minimum !== undefined)
      await tx
        .updateTable('schema_minimum')
        .set({ version: minimum })
        .where('version', '<', minimum)
        .execute();
    await record(name).execute(tx);
  });
}

/**
 * Builds and drops indexes without blocking writes. Each statement commits alone, and a crash leaves an invalid index, so
 * all of them can run again. They wait for older transactions without blocking others, hence the long lock timeout.
 */
async function applyOutside(db: Db, { name, text }: MigrationFile, patienceMs: number): Promise<void> {
  await db.connection().execute(async (session) => {
    try {
      await sql.raw(`set lock_timeout = ${patienceMs}; set statement_timeout = 0`).execute(session);
      for (const statement of splitStatements(text)) {
        const index = /^create (?:unique )?index concurrently if not exists (\w+) /i.exec(statement)?.[1];
        if (index !== undefined && (await isInvalid(session, index)))
          await sql`drop index concurrently ${sql.ref(index)}`.execute(session);
        await sql.raw(statement).execute(session);
      }
      await record(name).execute(session);
    } finally {
      // Fails only on a broken connection, which the pool does not use again.
      await sql
        .raw('reset lock_timeout; reset statement_timeout')
        .execute(session)
        .catch(() => {});
    }
  });
}

/** Splits a file of plain statements. PostgreSQL runs several statements of one message in a transaction. */
function splitStatements(text: string): string[] {
  return text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' '))
    .filter((statement) => statement !== '');
}

async function isInvalid(db: Db, index: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`.execute(db);
  return rows.length > 0;
}

const record = (name: string): RawBuilder<unknown> =>
  sql`insert into kysely_migration (name, timestamp) values (${name}, ${systemClock.now().toISOString()})`;
