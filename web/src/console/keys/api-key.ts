import type { Tone } from '../../ui/badge.tsx';

export interface ApiKey {
  readonly id: string;
  readonly account: string;
  readonly surface: string;
  readonly name: string;
  readonly state: 'live' | 'expired' | 'revoked';
  readonly scopes: readonly string[];
  readonly partner: string | null;
  /** Null: all warehouses. */
  readonly warehouses: readonly string[] | null;
  /** Null: the key works from anywhere. */
  readonly ip_ranges: readonly string[] | null;
  /** The successor, once the key was rotated. */
  readonly replaced_by: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly last_refused: {
    readonly at: string;
    readonly address: string;
    readonly reason: string;
    readonly count: number;
  } | null;
}

/** Why a use of the key was refused, as a sentence fragment. */
export const REFUSAL_REASONS: Readonly<Record<string, string>> = {
  secret: 'wrong secret',
  address: 'outside the IP ranges',
  revoked: 'key revoked',
  expired: 'key expired',
  inactive: 'account inactive',
};

/** The answer to a create, the only one that holds the key itself. */
export type NewApiKey = ApiKey & { readonly key: string };

export interface KeyOptions {
  readonly surfaces: readonly {
    readonly name: string;
    readonly scopes: readonly string[];
    /** Scopes that a key has only if they are chosen. */
    readonly optional_scopes: readonly string[];
    readonly default_days: number | null;
    readonly max_live_keys: number | null;
    readonly partnered: boolean;
  }[];
  readonly lifetimes: readonly number[];
}

export const SURFACE_NAMES: Readonly<Record<string, string>> = {
  bulkfill: 'Bulk Fill',
  subscribers: 'Subscribers',
  ingest: 'Ingest',
};

export const KEY_TONES: Readonly<Record<ApiKey['state'], Tone>> = {
  live: 'good',
  expired: 'warn',
  revoked: 'neutral',
};
