import { KeyRefusals } from '#engine/keys/key-refusals.ts';
import { type ExpiryParts, warnExpiringKeys } from '#engine/keys/warn-expiring.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/logger.ts';
import type { Metrics } from '#lib/metrics.ts';
import type { InstallationChore } from '#lib/ticker.ts';
import type { Db } from '#storage/database.ts';

/** Counts refused keys and logs a line for each key and address of a batch. */
export function createKeyRefusals(parts: {
  readonly db: Db;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
}): KeyRefusals {
  return new KeyRefusals({
    ...parts,
    onRefused: ({ keyId, address, reason, count }) =>
      parts.log.warn({ keyId, address, reason, count }, 'API key refused'),
  });
}

/** Ten minutes are often enough for a warning that is sent days before the expiry. */
const EXPIRY_CHECK_MS = 600_000;

/** Warns of keys that expire soon, with a log line for each. */
export function expiryChore({
  log,
  ...parts
}: Omit<ExpiryParts, 'onWarning'> & { readonly log: Log }): InstallationChore {
  return {
    name: 'expiring-keys',
    everyMs: EXPIRY_CHECK_MS,
    run: () =>
      warnExpiringKeys({
        ...parts,
        onWarning: ({ id, surface, account_name: account, days }) =>
          log.warn({ keyId: id, surface, account, days }, 'API key expires soon'),
      }),
  };
}
