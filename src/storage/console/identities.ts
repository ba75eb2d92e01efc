import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { OperatorRecord } from './operators.ts';

/** A person as the provider names them: a subject is unique at its issuer and is never reassigned. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Stores a sign-in that a browser has started. */
export async function insertAttempt(db: Db, tokenHash: Buffer, expiresAt: Date): Promise<void> {
  await db.insertInto('oidc_attempts').values({ token_hash: tokenHash, expires_at: expiresAt }).execute();
}

/** Takes a started sign-in. Returns false if it is unknown, expired or taken. Of two concurrent callers, one gets it. */
export async function takeAttempt(db: Db, tokenHash: Buffer, now: Date): Promise<boolean> {
  const taken = await db
    .deleteFrom('oidc_attempts')
    .where('token_hash', '=', tokenHash)
    .returning('expires_at')
    .executeTakeFirst();
  return taken !== undefined && taken.expires_at > now;
}

/** Finds the person that an identity is linked to. */
export function findLinkedPerson(tx: Tx, { issuer, subject }: Identity): Promise<OperatorRecord | undefined> {
  return tx
    .selectFrom('operators')
    .selectAll()
    .where('oidc_issuer', '=', issuer)
    .where('oidc_subject', '=', subject)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
}

/** Whether a person with this identity was removed, or one without an identity whose name is this address, in either case. */
export async function wasRemoved(tx: Tx, identity: Identity, email: string | undefined): Promise<boolean> {
  const found = await tx
    .selectFrom('operators')
    .select('id')
    .where('removed_at', 'is not', null)
    .where((person) =>
      person.or([
        person.and([
          person('oidc_issuer', '=', identity.issuer),
          person('oidc_subject', '=', identity.subject),
        ]),
        person.and([person('oidc_subject', 'is', null), hasName(email)]),
      ]),
    )
    .executeTakeFirst();
  return found !== undefined;
}

const hasName = (email: string | undefined) => sql<boolean>`lower(name) = ${email?.toLowerCase() ?? null}`;

/** Finds people without an identity whose name is this address, in either case. */
export function findUnlinkedPeople(tx: Tx, email: string): Promise<OperatorRecord[]> {
  return tx
    .selectFrom('operators')
    .selectAll()
    .where('removed_at', 'is', null)
    .where('oidc_subject', 'is', null)
    .where(hasName(email))
    .execute();
}

/** Finds unused invitations of people whose name is this address, in either case, by the hashes of their tokens. */
export async function findInvitations(tx: Tx, email: string, now: Date): Promise<Buffer[]> {
  const links = await tx
    .selectFrom('sign_in_links')
    .select('token_hash')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where(hasName(email))
    .execute();
  return links.map(({ token_hash }) => token_hash);
}

/** Links an identity to a person, so that it signs in as this person from now on. */
export async function linkIdentity(
  tx: Tx,
  operatorId: string,
  { issuer, subject }: Identity,
  { roleFromProvider }: { readonly roleFromProvider: boolean },
): Promise<void> {
  await tx
    .updateTable('operators')
    .set({ oidc_issuer: issuer, oidc_subject: subject, role_from_provider: roleFromProvider })
    .where('id', '=', operatorId)
    .execute();
}
