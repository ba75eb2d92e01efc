import type { KeyKind } from '#engine/keys/key-kinds.ts';

/** In display order. */
export const SCOPES = [
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

export const subscribersKeys: KeyKind = {
  prefix: 'mrk_',
  scopes: SCOPES,
  optionalScopes: [],
  defaultDays: null,
  maxLive: null,
  limitedChanges: false,
  partnered: false,
};
