/**
 * The three kinds of API keys. A key reads `<prefix><public id>.<secret>`: the prefix says which surface it is
 * for, the public id finds its record, and of the secret only a SHA-256 is kept. (A plain hash is enough: 40
 * random letters cannot be guessed from it, unlike a password.)
 */
export const surfaces = ['bulkfill', 'subscribers', 'ingest'] as const;
export type KeySurface = (typeof surfaces)[number];

export interface KeyKind {
  readonly prefix: string;
  /** Every scope a key of this surface can have; a new key has all of them unless told otherwise. */
  readonly scopes: readonly string[];
  /** Lifetime if none is asked for; null: no end. */
  readonly defaultDays: Lifetime | null;
  /** Keys of one account that are neither expired nor revoked; null: any number. */
  readonly maxLive: number | null;
  /** Whether keys are bound to a partner and its warehouses. */
  readonly partnered: boolean;
}

export const lifetimes = [30, 90, 180, 365] as const;
export type Lifetime = (typeof lifetimes)[number];

/** In the order in which they are shown. */
export const SUBSCRIBER_SCOPES = [
  'workspace:read',
  'subscribers:read',
  'subscribers:write',
  'subscribers:import',
  'subscribers:export',
  'tags:read',
  'tags:write',
  'custom_fields:read',
  'custom_fields:write',
  'webhooks:read',
  'webhooks:write',
  'live_actions:write',
] as const;

export const keyKinds: Readonly<Record<KeySurface, KeyKind>> = {
  bulkfill: { prefix: 'doqlo_bfexp_', scopes: [], defaultDays: 365, maxLive: 5, partnered: false },
  subscribers: {
    prefix: 'mrk_',
    scopes: SUBSCRIBER_SCOPES,
    defaultDays: null,
    maxLive: null,
    partnered: false,
  },
  ingest: { prefix: 'wmsk_', scopes: [], defaultDays: null, maxLive: null, partnered: true },
};
