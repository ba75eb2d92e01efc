import type { Limit } from '#engine/limits/limit.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/**
 * Limits of the operator API. Sign-ins and the challenges for them are counted by address, challenges for new passkeys by person. Changes of keys with `limitedChanges` are counted by account; a
 * change must fit all windows of its kind.
 */
export const consoleLimits = {
  'console.sign-in': { requests: 20, seconds: MINUTE },
  'console.passkey-challenge': { requests: 20, seconds: MINUTE },
  'console.key-create.10m': { requests: 3, seconds: 10 * MINUTE },
  'console.key-create.1h': { requests: 10, seconds: HOUR },
  'console.key-create.1d': { requests: 30, seconds: DAY },
  'console.key-revoke.10m': { requests: 10, seconds: 10 * MINUTE },
  'console.key-revoke.1h': { requests: 30, seconds: HOUR },
  'console.key-change.1d': { requests: 50, seconds: DAY },
} as const satisfies Record<string, Limit>;

export type ConsoleLimitName = keyof typeof consoleLimits;
