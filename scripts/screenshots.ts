/**
 * `npm run screenshots`: takes screenshots of every screen, light and dark, for the README and the documents. Starts
 * its own server and fills it through its APIs, with a clock that runs through the last weeks, so that the charts have
 * data.
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '#config.ts';
import { createMetrics } from '#http/metrics.ts';
import { createLogger } from '#lib/logger.ts';
import { startServer } from '#main.ts';
import { ConsoleClient } from '../test/support/console-client.ts';
import { makeDemoHistory, RunningClock } from './screenshots/demo-history.ts';
import { picturesOf } from './screenshots/pictures.ts';
import { startDemoReceiver } from './screenshots/receiver.ts';

// Other arguments are errors, so that a mistyped option does not become a folder of pictures.
const { out, only } = parseArgs({
  options: {
    out: { type: 'string', default: join(import.meta.dirname, '../docs/screenshots') },
    only: { type: 'string' },
  },
}).values;

const dataDir = await mkdtemp(join(tmpdir(), 'rowpress-screenshots-'));
// The embedded database may run as another user, which must be able to reach its files.
await chmod(dataDir, 0o755);
await mkdir(out, { recursive: true });
const receiver = await startDemoReceiver();
const config = loadConfig({
  HOST: '127.0.0.1',
  PORT: '0',
  ROWPRESS_DATA_DIR: dataDir,
  ROWPRESS_COOLDOWN_FAILED_JOBS: '0',
  ROWPRESS_COOLDOWN_RATIO_JOBS: '0',
  ROWPRESS_SYNC_WAIT_MS: '30000',
  ROWPRESS_WEBHOOK_ALLOW: receiver.allow,
});
if (!config.ok) throw new Error(config.problems.join('; '));
const clock = new RunningClock();
const log = createLogger({ level: 'warn', pretty: false });
const server = await startServer(config.config, log, createMetrics(), {
  clock,
  webhookCa: receiver.ca,
  resolve: receiver.resolve,
});
try {
  const operator = new ConsoleClient(server);
  const { status } = await operator.signIn(server.signInLink);
  if (status !== 200) throw new Error(`sign-in: ${status}`);
  const demo = await makeDemoHistory(operator, clock);
  await picturesOf({ operator, demo, out, only, receiver: receiver.url });
} finally {
  await server.stop();
  receiver.stop();
  await rm(dataDir, { recursive: true, force: true });
}
