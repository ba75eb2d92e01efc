/**
 * A process that owns (or borrows) the embedded PostgreSQL of a data directory until SIGTERM, and reports events to
 * its parent on stdout, one JSON object per line. Run by test/support/embedded-owner.ts.
 */
import { onFaultPoint } from '#lib/fault-points.ts';
import { borrowEmbeddedPostgres, startEmbeddedPostgres } from '#storage/embedded/embedded-postgres.ts';

const [mode, dataDir = '', killAt] = process.argv.slice(2);
const tell = (event: string, members: object = {}) => console.log(JSON.stringify({ event, ...members }));
const log = {
  info: (message: string) => tell('log', { message }),
  warn: (message: string) => tell('log', { message }),
};
const terminated = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => resolve());
});

if (killAt !== undefined)
  onFaultPoint((point) => {
    if (point === killAt) process.kill(process.pid, 'SIGKILL');
  });

try {
  const options = { dataDir, log, settings: { fsync: mode === 'durable' } };
  if (mode === 'borrow') {
    const { release, ...rest } = await borrowEmbeddedPostgres(options);
    tell('ready', rest);
    await terminated;
    await release();
  } else {
    const postgres = await startEmbeddedPostgres(options);
    const { address, adopted, directory } = postgres;
    tell('ready', { address, adopted, directory });
    await terminated;
    await postgres.stop();
  }
  tell('stopped');
} catch (error) {
  tell('failed', { message: (error as Error).message });
  process.exitCode = 1;
}
