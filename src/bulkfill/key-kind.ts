import { type KeyKind, SEAL_SCOPE } from '#engine/keys/key-kinds.ts';

/** The composition root adds an optional scope for each surface whose rows `rows_from` can read. */
export const bulkfillKeys: KeyKind = {
  prefix: 'doqlo_bfexp_',
  scopes: [],
  optionalScopes: [SEAL_SCOPE],
  defaultDays: 365,
  maxLive: 5,
  limitedChanges: true,
  partnered: false,
};
