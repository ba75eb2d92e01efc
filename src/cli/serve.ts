import { once } from 'node:events';
import type { Command } from 'commander';
import { startEmbeddedPostgres } from '../storage/embedded/embedded-postgres.ts';
import { tell } from './answer.ts';
import { readConfig } from './read-config.ts';
import { stderrLog } from './stderr-log.ts';

export function registerServe(program: Command): void {
  program.command('serve').description('run the server').action(run);
}

async function run(): Promise<void> {
  const { config } = readConfig();
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log: stderrLog });
  tell(`rowpress: the database is ready in ${postgres.directory}`);
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  await postgres.stop();
}
