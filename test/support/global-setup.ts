import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { startCluster } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    socketDir: string;
  }
}

/** One PostgreSQL for the whole run; every test file gets its own copy of the migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  project.provide('socketDir', cluster.socketDir);
  const address = { host: cluster.socketDir, user: 'rowpress' };
  const postgres = openDatabase({ ...address, database: 'postgres' }, 1, console.error);
  await postgres.pool.query('create database template_rowpress');
  await postgres.close();
  const template = openDatabase({ ...address, database: 'template_rowpress' }, 2, console.error);
  await migrate(template.db);
  await template.close();
  return cluster.stop;
}
