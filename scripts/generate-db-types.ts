/**
 * Writes src/storage/db-types.ts from the migrated schema, so that Kysely's types match it. `--check` only compares
 * (used by the architecture tests).
 */
import { spawnSync } from 'node:child_process';
import { openDatabase } from '#storage/database.ts';
import { migrate } from '#storage/migrate.ts';
import { startCluster } from '../test/support/postgres.ts';

const cluster = await startCluster();
try {
  const database = openDatabase(
    { host: cluster.socketDir, database: 'postgres', user: 'rowpress' },
    2,
    console.error,
  );
  await migrate(database.db);
  await database.close();
  const url = `postgresql://rowpress@localhost/postgres?host=${encodeURIComponent(cluster.socketDir)}`;
  // int8 is parsed as a number (database.ts).
  const args = [
    '--dialect=postgres',
    `--url=${url}`,
    '--type-mapping={"int8":"number"}',
    '--exclude-pattern=kysely_*',
    '--out-file=src/storage/db-types.ts',
  ];
  const { status } = spawnSync(
    'kysely-codegen',
    process.argv.includes('--check') ? [...args, '--verify'] : args,
    { stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
} finally {
  await cluster.stop();
}
