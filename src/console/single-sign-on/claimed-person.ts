import type { ClaimedRole } from '#config/single-sign-on-settings.ts';
import type { Identity } from '#storage/console/identities.ts';
import type { Claims } from './identity-provider.ts';

/** A person as the verified claims describe them. */
export interface ClaimedPerson {
  readonly identity: Identity;
  /** Only if the provider has verified it. */
  readonly email: string | undefined;
  readonly name: string;
  /** The role that the claims give. */
  readonly role: ClaimedRole | undefined;
}

export interface RoleMapping {
  readonly claim: string | undefined;
  readonly roles: readonly ClaimedRole[];
}

const MAX_NAME = 200;
/** Printable ASCII with one @: other characters can look the same, or become the same in lower case. */
const EMAIL = /^[\x21-\x3f\x41-\x7e]{1,64}@[\x21-\x3f\x41-\x7e]{1,134}$/;

export function readPerson(claims: Claims, { claim, roles }: RoleMapping): ClaimedPerson {
  const email = verifiedEmail(claims);
  const values = claim === undefined ? [] : [claims[claim]].flat();
  return {
    identity: { issuer: claims.iss, subject: claims.sub },
    email,
    name: email ?? nameIn(claims),
    role: roles.find(({ value }) => values.includes(value)),
  };
}

/** Some providers send the flag as a text. */
function verifiedEmail({ email, email_verified: verified }: Claims): string | undefined {
  const isVerified = verified === true || verified === 'true';
  return isVerified && typeof email === 'string' && EMAIL.test(email) ? email : undefined;
}

/** A name for the list of people. It never decides who someone is. */
function nameIn({ name, preferred_username: username, sub }: Claims): string {
  for (const candidate of [username, name]) {
    const text = typeof candidate === 'string' ? cleaned(candidate) : '';
    if (text !== '') return text;
  }
  return cleaned(sub) || 'person';
}

const cleaned = (text: string): string =>
  text.replaceAll(/\p{C}/gu, '').trim().slice(0, MAX_NAME).toWellFormed();
