import type { Command } from 'commander';
import { createMetrics } from '#http/metrics.ts';
import { createLogger } from '#lib/logger.ts';
import { stopOnSignal } from '#lib/stop-on-signal.ts';
import { tell } from './answer.ts';
import { readConfig } from './read-config.ts';

/** Process groups are given 20 s to end; this leaves room for the database's own shutdown. */
const STOP_MS = 18_000;

export function registerServe(program: Command): void {
  program.command('serve').description('run the server').action(run);
}

async function run(): Promise<void> {
  const { config } = readConfig();
  const log = createLogger({ level: config.logLevel, pretty: process.stdout.isTTY === true });
  // Loaded here, so that no other command pays for the PDF engine.
  const { startServer } = await import('#main.ts');
  const starting = startServer(config, log, createMetrics({ processMetrics: true }));
  // Also a signal during the start stops what has been started.
  const uninstall = stopOnSignal(log, STOP_MS, () =>
    starting.then(
      (server) => server.stop(),
      () => {},
    ),
  );
  const server = await starting.catch((error: unknown) => {
    // A start that fails has undone itself; left in place, the handler would end the process as if all were well.
    uninstall();
    throw error;
  });
  tell(`rowpress: ready at ${config.publicUrl ?? server.url}`);
  if (server.signInLink !== undefined) {
    tell('rowpress: nobody has signed in to the console yet; this link does, once, within a day:');
    process.stdout.write(`${server.signInLink}\n`);
  }
  tell('rowpress: make a first key with: ./bin/rowpress keys create --surface bulkfill --account demo');
}
