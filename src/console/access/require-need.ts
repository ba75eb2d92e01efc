import type { FastifyRequest } from 'fastify';
import type { Need, Role } from '../contract/access.ts';
import { refuse } from '../errors.ts';
import { rolesWith } from './roles.ts';
import { findPerson } from './signed-in-person.ts';

/** Rejects a person whose role does not have the right. The message names the roles that have it. */
export function requireRole(role: Role, need: Need): void {
  const roles = rolesWith[need];
  if (roles.includes(role)) return;
  throw refuse('ROLE_REQUIRED', `This needs the role ${roles.join(' or ')}; your role is ${role}.`, {
    members: { details: { required_roles: roles, role } },
  });
}

/** The same for a route whose need depends on the body. A caller with a key has no role and passes. */
export function requireNeed(request: FastifyRequest, need: Need): void {
  const person = findPerson(request);
  if (person !== undefined) requireRole(person.role, need);
}
