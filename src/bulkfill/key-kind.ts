import type { KeyKind } from '#engine/keys/key-kinds.ts';

/** Optional scopes are added by the composition root: one for each surface whose rows `rows_from` can read. */
export const bulkfillKeys: KeyKind = {
  prefix: 'doqlo_bfexp_',
  scopes: [],
  optionalScopes: [],
  defaultDays: 365,
  maxLive: 5,
  limitedChanges: true,
  partnered: false,
};
