import type { Clock } from '#lib/clock.ts';
import type { Db } from '#storage/database.ts';
import { listExpiringKeys } from '#storage/keys/expiring-keys.ts';

const MAX_SHOWN = 100;

export interface ExpiringParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly settings: { readonly keyWarningDays: readonly number[] };
}

/** Lists keys that expire within the first warning period, the next to expire first. */
export async function showExpiring({ db, clock, settings }: ExpiringParts) {
  const [days] = settings.keyWarningDays;
  if (days === undefined) return [];
  return (await listExpiringKeys(db, clock.now(), days, MAX_SHOWN)).map((key) => ({
    id: key.id,
    name: key.name,
    account: key.account_name,
    surface: key.surface,
    expires_at: key.expires_at.toISOString(),
  }));
}
