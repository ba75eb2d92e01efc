import { once } from 'node:events';
import type { Command } from 'commander';
import { startEmbeddedPostgres } from '../storage/embedded/embedded-postgres.ts';
import { say, stderrLog } from './output.ts';
import { readConfig } from './read-config.ts';

export function registerServe(program: Command): void {
  program.command('serve').description('run the server').action(run);
}

async function run(): Promise<void> {
  const { config } = readConfig();
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log: stderrLog });
  say(`rowpress: the database is ready in ${postgres.directory}`);
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  await postgres.stop();
}
