import type { TestProject } from 'vitest/node';
import { openDatabase } from '#storage/database.ts';
import { SERVER_ROLE } from '#storage/embedded/database-roles.ts';
import { migrate } from '#storage/migrate.ts';
import { startCluster } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    socketDir: string;
  }
}

/**
 * Starts one PostgreSQL for the whole run; every test file gets its own copy of the migrated template. First rebuilds the
 * programs that tests start if a source has changed: starting from sources takes twice the CPU time.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await import('../../scripts/build-programs.ts');
  const cluster = await startCluster();
  project.provide('socketDir', cluster.socketDir);
  const host = cluster.socketDir;
  const postgres = openDatabase({ host, user: 'rowpress', database: 'postgres' }, 1, console.error);
  // As in the product's embedded database, the role is not a superuser.
  await postgres.pool.query(`create role ${SERVER_ROLE} login`);
  await postgres.pool.query(`create database template_rowpress owner ${SERVER_ROLE}`);
  await postgres.close();
  const template = openDatabase({ host, user: SERVER_ROLE, database: 'template_rowpress' }, 2, console.error);
  await migrate(template.db);
  await template.close();
  return cluster.stop;
}
