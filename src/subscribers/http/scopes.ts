import { SUBSCRIBER_SCOPES } from '#engine/keys/key-kinds.ts';

/** What a key of this surface may be allowed to do. */
export const SCOPES = SUBSCRIBER_SCOPES;
export type Scope = (typeof SCOPES)[number];

/** `*` stands for every scope, those of the future included. */
export function heldScopes(scopes: readonly string[]): readonly Scope[] {
  if (scopes.includes('*')) return SCOPES;
  return SCOPES.filter((scope) => scopes.includes(scope));
}

export function missingScopes(held: readonly string[], required: readonly Scope[]): Scope[] {
  const has = new Set<string>(heldScopes(held));
  return required.filter((scope) => !has.has(scope));
}
