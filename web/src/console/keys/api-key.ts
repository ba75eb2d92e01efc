import type { ApiKey } from '#console/contract/keys.ts';
import type { Tone } from '../../ui/badge.tsx';

/** Why a use of the key was refused, as a sentence fragment. */
export const REFUSAL_REASONS: Readonly<Record<string, string>> = {
  secret: 'wrong secret',
  address: 'outside the IP ranges',
  revoked: 'key revoked',
  expired: 'key expired',
  inactive: 'account inactive',
};

export const KEY_TONES: Readonly<Record<ApiKey['state'], Tone>> = {
  live: 'good',
  expired: 'warn',
  revoked: 'neutral',
};
