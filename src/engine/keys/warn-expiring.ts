import type { Clock } from '#lib/clock.ts';
import type { Db, Tx } from '#storage/database.ts';
import { claimExpiryWarnings, type ExpiringKey } from '#storage/keys/expiring-keys.ts';

/** `days` is the threshold that was reached, not the exact remainder. */
export type ExpiryWarning = ExpiringKey & { readonly days: number };

export interface ExpiryParts {
  readonly db: Db;
  readonly clock: Clock;
  /** Days before the expiry at which to warn; empty: never. */
  readonly days: readonly number[];
  /** Runs in the transaction that marks the key as warned. */
  readonly announce: (tx: Tx, warning: ExpiryWarning) => Promise<void>;
  /** Called after the commit. */
  readonly onWarning: (warning: ExpiryWarning) => void;
}

/** Warns once per key and threshold, on one node of the installation. */
export async function warnExpiringKeys(parts: ExpiryParts): Promise<void> {
  if (parts.days.length === 0) return;
  const warnings = await parts.db.transaction().execute(async (tx) => {
    const claimed = await claimExpiryWarnings(tx, parts.clock.now(), parts.days);
    for (const warning of claimed) await parts.announce(tx, warning);
    return claimed;
  });
  for (const warning of warnings) parts.onWarning(warning);
}
