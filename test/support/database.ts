import { inject, onTestFinished } from 'vitest';
import { type Database, type DatabaseAddress, openDatabase } from '../../src/storage/database.ts';

let made = 0;

/** An address of a fresh, migrated database of this test run's cluster. */
export async function createDatabase(): Promise<DatabaseAddress & { host: string }> {
  const host = inject('socketDir');
  const database = `t_${process.pid}_${++made}`;
  const admin = openDatabase({ host, database: 'postgres', user: 'rowpress' }, 1, () => {});
  try {
    await admin.pool.query(`create database ${database} template template_rowpress strategy file_copy`);
  } finally {
    await admin.close();
  }
  return { host, database, user: 'rowpress' };
}

/** The same, opened, and closed when the test that asked for it ends. */
export async function openTestDatabase(): Promise<Database> {
  const database = openDatabase(await createDatabase(), 20, () => {});
  onTestFinished(() => database.close());
  return database;
}
