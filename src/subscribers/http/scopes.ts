import { SCOPES } from '../key-kind.ts';

export type Scope = (typeof SCOPES)[number];

/** Returns the scopes of a key. `*` means every scope, including later ones. */
export function heldScopes(scopes: readonly string[]): readonly Scope[] {
  if (scopes.includes('*')) return SCOPES;
  return SCOPES.filter((scope) => scopes.includes(scope));
}

export function missingScopes(held: readonly string[], required: readonly Scope[]): Scope[] {
  const has = new Set<string>(heldScopes(held));
  return required.filter((scope) => !has.has(scope));
}
