import closeWithGrace from 'close-with-grace';
import type { Log } from './logger.ts';

/**
 * Runs `stop` once on SIGTERM or SIGINT and exits with 0. A second signal, or a `stop` that exceeds the grace period, exits with 1 at
 * once. An uncaught error stops the process too, because its state is undefined; the supervisor restarts it. Returns a function that
 * removes the handlers.
 */
export function stopOnSignal(log: Log, graceMs: number, stop: () => Promise<void>): () => void {
  const { uninstall } = closeWithGrace(
    {
      delay: graceMs,
      logger: false,
      onSecondSignal: (signal) => log.warn({ signal }, 'second signal, exiting now'),
      onTimeout: () => log.error({ durationMs: graceMs }, 'stopping took too long, exiting now'),
    },
    async ({ signal, err }) => {
      if (err !== undefined) log.fatal({ err }, 'uncaught error, stopping');
      else log.info({ ...(signal !== undefined && { signal }) }, 'stopping');
      await stop();
      log.info('stopped');
    },
  );
  return uninstall;
}
