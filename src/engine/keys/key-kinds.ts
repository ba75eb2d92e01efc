/**
 * The three kinds of API keys. A key reads `<prefix><public id>.<secret>`: the prefix says which surface it is
 * for, the public id finds its record, and of the secret only a SHA-256 is kept. (A plain hash is enough: 40
 * random letters cannot be guessed from it, unlike a password.)
 */
export const surfaces = ['bulkfill', 'subscribers', 'ingest'] as const;
export type KeySurface = (typeof surfaces)[number];

export interface KeyKind {
  readonly prefix: string;
  /** Scopes of this surface that a new key has by default, all of them. */
  readonly scopes: readonly string[];
  /** Scopes that a key has only if they are named when it is created. */
  readonly optionalScopes: readonly string[];
  /** Lifetime if neither the order nor a setting names one; null: no expiry. */
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

/** Surfaces whose stored rows a Bulk Fill key can be allowed to read (`rows_from`). */
export const readableSurfaces = ['subscribers', 'ingest'] as const;

/** The scope that a Bulk Fill key needs to read the rows of `source`. */
export function readScope(source: string): string {
  return `read:${source}`;
}

export const keyKinds: Readonly<Record<KeySurface, KeyKind>> = {
  bulkfill: {
    prefix: 'doqlo_bfexp_',
    scopes: [],
    optionalScopes: readableSurfaces.map(readScope),
    defaultDays: 365,
    maxLive: 5,
    partnered: false,
  },
  subscribers: {
    prefix: 'mrk_',
    scopes: SUBSCRIBER_SCOPES,
    optionalScopes: [],
    defaultDays: null,
    maxLive: null,
    partnered: false,
  },
  ingest: {
    prefix: 'wmsk_',
    scopes: [],
    optionalScopes: [],
    defaultDays: null,
    maxLive: null,
    partnered: true,
  },
};

/** The default lifetime per surface, as the settings have it; null: no expiry. */
export type DefaultDays = Readonly<Record<KeySurface, Lifetime | null>>;

export function defaultDaysOf(settings: {
  readonly bulkfillKeyDays: Lifetime | null;
  readonly subscribersKeyDays: Lifetime | null;
  readonly ingestKeyDays: Lifetime | null;
}): DefaultDays {
  const { bulkfillKeyDays, subscribersKeyDays, ingestKeyDays } = settings;
  return { bulkfill: bulkfillKeyDays, subscribers: subscribersKeyDays, ingest: ingestKeyDays };
}

/** The first of `scopes` that a key of this surface cannot have. */
export function findUnknownScope(surface: KeySurface, scopes: readonly string[] = []): string | undefined {
  const kind = keyKinds[surface];
  return scopes.find((scope) => !kind.scopes.includes(scope) && !kind.optionalScopes.includes(scope));
}
