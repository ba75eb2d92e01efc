import type { Db } from '../database.ts';
import { createMigrator } from '../migrate.ts';

/** Migrations this version brings that the database does not have; also proves that it answers. */
export async function listPendingMigrations(db: Db): Promise<string[]> {
  const migrations = await createMigrator(db).getMigrations();
  return migrations.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}
