import type { Command } from 'commander';
import { isCommandOfNpm } from '#config.ts';
import { OWN_COMMAND } from '#lib/built-programs.ts';
import { collectGarbage } from '#lib/collect-garbage.ts';
import { stopWithParent } from '#lib/stop-with-parent.ts';
import { tell } from './answer.ts';
import { readConfig } from './read-config.ts';

/** Process groups get 20 s to end; this leaves time for the shutdown of the database. */
const STOP_MS = 18_000;
/** When the work of the start is over. */
const SETTLED_MS = 5_000;

export function registerServe(program: Command): void {
  program.command('serve').description('Run the server').action(run);
}

async function run(): Promise<void> {
  const { config } = readConfig();
  // Loaded here, so that other commands do not load the PDF engine, the metrics and the logger.
  const { createLogger } = await import('#lib/logger.ts');
  const { createMetrics } = await import('#http/metrics.ts');
  const { stopOnSignal } = await import('#lib/stop-on-signal.ts');
  const { startServer } = await import('#main.ts');
  const log = createLogger({ level: config.logLevel, pretty: process.stdout.isTTY === true });
  const starting = startServer(config, log, createMetrics({ processMetrics: true }));
  // A signal during the start also stops what has been started.
  const uninstall = stopOnSignal(log, STOP_MS, () =>
    starting.then(
      (server) => server.stop(),
      () => {},
    ),
  );
  if (isCommandOfNpm()) stopWithParent();
  const server = await starting.catch((error: unknown) => {
    // A failed start has cleaned up after itself; the handler would end the process with success.
    uninstall();
    throw error;
  });
  // Loading the program leaves 35 MB of free memory that V8 would keep until the next large collection.
  setTimeout(() => collectGarbage({ thorough: true }), SETTLED_MS).unref();
  tell(`rowpress: ready at ${config.publicUrl ?? server.url}`);
  if (!server.hasWebApp)
    tell(
      'rowpress: the editor and the console are not built, so nobody can sign in. The API works. To build them, run "npm ci && npm run build".',
    );
  if (server.signInLink !== undefined) {
    tell('rowpress: no operator has signed in to the console yet. This link signs in once, within a day:');
    process.stdout.write(`${server.signInLink}\n`);
  }
  tell(`rowpress: create a first key with: ${OWN_COMMAND} keys create --surface bulkfill --account demo`);
}
