import type { FastifyRequest } from 'fastify';
import type { Role } from '../contract/access.ts';

/** Who is signed in, and what limits them. */
export interface SignedInPerson {
  readonly role: Role;
  /** The only account that the person can see; null: all of them. */
  readonly accountId: string | null;
}

const people = new WeakMap<FastifyRequest, SignedInPerson>();

export function setPerson(request: FastifyRequest, person: SignedInPerson): void {
  people.set(request, person);
}

export function findPerson(request: FastifyRequest): SignedInPerson | undefined {
  return people.get(request);
}

/** The id of the only account that the signed-in person can see, or undefined if there is no such limit. */
export function onlyAccount(request: FastifyRequest): string | undefined {
  const person = people.get(request);
  if (person === undefined) throw new Error('bug: a route without a session guard reads who is signed in');
  return person.accountId ?? undefined;
}
