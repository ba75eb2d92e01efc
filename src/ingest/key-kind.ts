import type { KeyKind } from '#engine/keys/key-kinds.ts';

export const ingestKeys: KeyKind = {
  prefix: 'wmsk_',
  scopes: [],
  optionalScopes: [],
  defaultDays: null,
  maxLive: null,
  limitedChanges: false,
  partnered: true,
};
