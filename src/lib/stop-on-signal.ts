import closeWithGrace from 'close-with-grace';
import type { Log } from './logger.ts';

/**
 * SIGTERM or SIGINT runs `stop` once and exits 0; a second signal, or `stop` taking longer than the grace,
 * exits 1 at once. A bug that nobody caught stops the process the same way, because its state is no longer
 * known; whoever supervises it starts it again. Returns a function that takes all of this back.
 */
export function stopOnSignal(log: Log, graceMs: number, stop: () => Promise<void>): () => void {
  const { uninstall } = closeWithGrace(
    {
      delay: graceMs,
      logger: false,
      onSecondSignal: (signal) => log.warn({ signal }, 'second signal, ending at once'),
      onTimeout: () => log.error({ durationMs: graceMs }, 'stopping took too long, ending at once'),
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
