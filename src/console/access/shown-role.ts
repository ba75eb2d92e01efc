import type { Role } from '../contract/access.ts';
import { isRole } from './roles.ts';

interface StoredRole {
  readonly role: string;
  readonly account_id: string | null;
  readonly account_name: string | null;
}

/** A stored role as the wire shows it. */
export function showRole({ role, account_id: id, account_name: name }: StoredRole): {
  readonly role: Role;
  readonly account: { readonly id: string; readonly name: string } | null;
} {
  if (!isRole(role)) throw new Error(`bug: ${role} is not a role`);
  return { role, account: id === null || name === null ? null : { id, name } };
}
