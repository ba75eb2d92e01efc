import type { Command } from 'commander';
import { printJson, tell } from './answer.ts';
import { readConfig } from './read-config.ts';
import { bringUpToDate, withDatabase } from './with-database.ts';

export function registerMigrate(program: Command): void {
  program
    .command('migrate')
    .description('Migrate the database schema (serve does this automatically)')
    .option('--json', 'Print one JSON object')
    .action(run);
}

async function run({ json }: { readonly json?: true }): Promise<void> {
  const { config } = readConfig();
  const migrated = await withDatabase(config, (database) => bringUpToDate(config, database), {
    migrated: false,
    create: true,
  });
  if (json) return printJson({ migrated });
  tell(migrated.length === 0 ? 'The database is up to date.' : `Migrated: ${migrated.join(', ')}.`);
}
