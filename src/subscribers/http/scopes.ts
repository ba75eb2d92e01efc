import { SCOPES } from '../key-kind.ts';

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
