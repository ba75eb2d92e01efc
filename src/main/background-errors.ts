import type { Log } from '../lib/logger.ts';

/** While a database is away, the same failure comes several times a second from every loop. */
const QUIET_MS = 10_000;

/** Logs failures of background work, each kind at most once in a while. */
export function logBackgroundErrors(log: Log): (error: unknown) => void {
  const saidAt = new Map<string, number>();
  return (error) => {
    const { code, name } = error as { code?: unknown; name?: unknown };
    const kind = String(code ?? name ?? 'error');
    const now = performance.now();
    if (now - (saidAt.get(kind) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
    saidAt.set(kind, now);
    log.error({ err: error }, 'background work failed');
  };
}
