import type { ConsoleLimitName } from '../console-limits.ts';
import type { ConsoleLimits } from '../console-parts.ts';
import { refuse } from '../errors.ts';

const windows = {
  create: ['console.key-create.10m', 'console.key-create.1h', 'console.key-create.1d'],
  revoke: ['console.key-revoke.10m', 'console.key-revoke.1h'],
} as const satisfies Record<string, readonly ConsoleLimitName[]>;
const CHANGES = 'console.key-change.1d';

/**
 * Applies the rates of keys with `limitedChanges`: it counts every request, and also every actual change of a key, at most fifty a
 * day. `change` returns whether it changed a key.
 */
export async function withinKeyRates<T>(
  limits: ConsoleLimits,
  kind: 'create' | 'revoke',
  accountId: string,
  change: () => Promise<{ readonly changed: boolean; readonly answer: T }>,
): Promise<T> {
  for (const name of [...windows[kind], CHANGES] as const) {
    const verdict = await limits.take(name, accountId);
    if (!verdict.ok)
      throw refuse('RATE_LIMITED', 'Too many changes of this account’s keys. Retry later.', {
        retryAfterSeconds: verdict.retryAfterSeconds,
      });
  }
  const { changed, answer } = await change();
  if (!changed) await limits.giveBack(CHANGES, accountId);
  return answer;
}
