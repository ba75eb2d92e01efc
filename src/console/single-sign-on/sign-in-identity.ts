import type { ClaimedRole } from '#config/single-sign-on-settings.ts';
import { findAccountNamed } from '#storage/accounts.ts';
import {
  findInvitations,
  findLinkedPerson,
  findUnlinkedPeople,
  linkIdentity,
  wasRemoved,
} from '#storage/console/identities.ts';
import { changeRole, insertOperator, lockOperators, type RoleRecord } from '#storage/console/operators.ts';
import type { Tx } from '#storage/database.ts';
import type { OperatorAction } from '../audit/record-action.ts';
import {
  type Person,
  type SignedIn,
  type SignInParts,
  spendLink,
  startSession,
  type Visitor,
} from '../session/sign-in.ts';
import type { ClaimedPerson } from './claimed-person.ts';

/** Why nobody was signed in. `detail` is for the log. */
export interface NotSignedIn {
  readonly reason: 'not-invited' | 'ambiguous' | 'account-unknown';
  readonly detail?: string;
}

interface FoundPerson {
  readonly person: Person;
  /** What happened besides the sign-in, for the audit log. */
  readonly entries: readonly OperatorAction[];
}

const METHOD = 'single-sign-on';

/**
 * Signs in the person of a verified identity, in one transaction with its audit entries. An identity that is linked signs in as its
 * person. Any other identity is linked to the one person or invitation whose name is its verified e-mail address, or gets a new
 * person if its claims give a role. Otherwise nothing changes.
 */
export function signInIdentity(
  parts: SignInParts,
  claimed: ClaimedPerson,
  visitor: Visitor,
  record: (tx: Tx, operatorId: string, entry: OperatorAction) => Promise<void>,
): Promise<SignedIn | NotSignedIn> {
  const now = parts.clock.now();
  return parts.db.transaction().execute(async (tx) => {
    await lockOperators(tx);
    const found = await findPerson(tx, claimed, { id: parts.ids.uuid(), now });
    if ('reason' in found) return found;
    const signedIn = await startSession(tx, parts, found.person, visitor, now);
    for (const entry of found.entries) await record(tx, found.person.id, entry);
    await record(tx, found.person.id, { action: 'signed-in', details: { method: METHOD } });
    return signedIn;
  });
}

type Made = { readonly id: string; readonly now: Date };

async function findPerson(tx: Tx, claimed: ClaimedPerson, made: Made): Promise<FoundPerson | NotSignedIn> {
  const linked = await findLinkedPerson(tx, claimed.identity);
  if (linked !== undefined)
    return linked.role_from_provider ? followRole(tx, linked, claimed.role) : { person: linked, entries: [] };
  const invited = claimed.email === undefined ? undefined : await findInvited(tx, claimed.email, made);
  if (invited !== undefined && 'reason' in invited) return invited;
  if (invited !== undefined) {
    await linkIdentity(tx, invited.id, claimed.identity, { roleFromProvider: false });
    return { person: invited, entries: [{ action: 'operator.linked', target: invited.id }] };
  }
  if (claimed.role === undefined || (await wasRemoved(tx, claimed.identity, claimed.email)))
    return { reason: 'not-invited' };
  return createPerson(tx, claimed, claimed.role, made);
}

/** The only person or invitation with this address. With several, none of them can be chosen safely. */
async function findInvited(tx: Tx, email: string, made: Made): Promise<Person | NotSignedIn | undefined> {
  const [people, invitations] = [
    await findUnlinkedPeople(tx, email),
    await findInvitations(tx, email, made.now),
  ];
  if (people.length + invitations.length > 1) return { reason: 'ambiguous' };
  const [invitation] = invitations;
  return people[0] ?? (invitation === undefined ? undefined : spendLink(tx, invitation, made));
}

async function createPerson(
  tx: Tx,
  { identity, name }: ClaimedPerson,
  claimedRole: ClaimedRole,
  { id, now }: Made,
): Promise<FoundPerson | NotSignedIn> {
  const role = await resolveRole(tx, claimedRole);
  if ('reason' in role) return role;
  await insertOperator(tx, { id, name, ...role, now });
  await linkIdentity(tx, id, identity, { roleFromProvider: true });
  return {
    person: { id, name, role: role.role, account_id: role.accountId },
    entries: [roleEntry('operator.created', id, role)],
  };
}

/** Gives the person the role of the claims. The last operator keeps its role, so that nobody is locked out. */
async function followRole(
  tx: Tx,
  person: Person,
  claimedRole: ClaimedRole | undefined,
): Promise<FoundPerson | NotSignedIn> {
  if (claimedRole === undefined) return { reason: 'not-invited' };
  const role = await resolveRole(tx, claimedRole);
  if ('reason' in role) return role;
  const isSame = role.role === person.role && role.accountId === person.account_id;
  if (isSame || (await changeRole(tx, person.id, role)) !== 'changed') return { person, entries: [] };
  return {
    person: { id: person.id, name: person.name, role: role.role, account_id: role.accountId },
    entries: [roleEntry('operator.role-changed', person.id, role)],
  };
}

async function resolveRole(tx: Tx, { role, account }: ClaimedRole): Promise<RoleRecord | NotSignedIn> {
  if (account === undefined) return { role, accountId: null };
  const found = await findAccountNamed(tx, account);
  if (found === undefined)
    return {
      reason: 'account-unknown',
      detail: `ROWPRESS_OIDC_ROLES names the unknown account "${account}"`,
    };
  return { role, accountId: found.id };
}

const roleEntry = (action: string, target: string, { role, accountId }: RoleRecord): OperatorAction => ({
  action,
  target,
  details: { role, method: METHOD },
  ...(accountId !== null && { accountId }),
});
