import type { Command } from 'commander';
import { createMetrics } from '#http/metrics.ts';
import { createLogger } from '#lib/logger.ts';
import { stopOnSignal } from '#lib/stop-on-signal.ts';
import { tell } from './answer.ts';
import { readConfig } from './read-config.ts';

/** Process groups get 20 s to end; this leaves time for the shutdown of the database. */
const STOP_MS = 18_000;

export function registerServe(program: Command): void {
  program.command('serve').description('Run the server').action(run);
}

async function run(): Promise<void> {
  const { config } = readConfig();
  const log = createLogger({ level: config.logLevel, pretty: process.stdout.isTTY === true });
  // Loaded here, so that other commands do not load the PDF engine.
  const { startServer } = await import('#main.ts');
  const starting = startServer(config, log, createMetrics({ processMetrics: true }));
  // A signal during the start also stops what has been started.
  const uninstall = stopOnSignal(log, STOP_MS, () =>
    starting.then(
      (server) => server.stop(),
      () => {},
    ),
  );
  const server = await starting.catch((error: unknown) => {
    // A failed start has cleaned up after itself; the handler would end the process with success.
    uninstall();
    throw error;
  });
  tell(`rowpress: ready at ${config.publicUrl ?? server.url}`);
  if (server.signInLink !== undefined) {
    tell('rowpress: no operator has signed in to the console yet. This link signs in once, within a day:');
    process.stdout.write(`${server.signInLink}\n`);
  }
  tell('rowpress: create a first key with: ./bin/rowpress keys create --surface bulkfill --account demo');
}
