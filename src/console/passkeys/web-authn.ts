import type { AttestationObject } from '@simplewebauthn/server/helpers';
import type { PasskeyRecord } from '#storage/console/passkeys.ts';
import type { CreationOptions, NewCredential, RequestOptions, UsedCredential } from '../contract/passkeys.ts';
import { CHALLENGE_MS } from './challenges.ts';
import type { RelyingParty } from './relying-party.ts';

/** Loaded at the first use: it takes 0.9 s of CPU and 26 MB, and many installations have no passkeys. */
const library = () => import('@simplewebauthn/server');

/** Ed25519, ES256 and RS256, which all authenticators have one of. Others are experimental in Node. */
const ALGORITHMS = [-8, -7, -257];

/** Formats have at most 32 characters (WebAuthn, section 8.1). Anything else is input. */
const MAX_FORMAT_CHARS = 32;

interface Ceremony {
  readonly party: RelyingParty;
  /** As the browser returned it; the caller has compared it with the stored one. */
  readonly challenge: string;
}

/** A person's id as passkeys hold it. */
export const userHandleOf = (operatorId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(operatorId.replaceAll('-', ''), 'hex'));

export function creationOptionsFor(
  person: { readonly id: string; readonly name: string },
  existing: readonly PasskeyRecord[],
  { party, challenge }: { readonly party: RelyingParty; readonly challenge: Uint8Array },
): CreationOptions {
  return {
    challenge: text(challenge),
    rp: { id: party.id, name: 'Rowpress' },
    user: { id: text(userHandleOf(person.id)), name: person.name, displayName: person.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: CHALLENGE_MS,
    attestation: 'none',
    excludeCredentials: existing
      .filter(({ rp_id }) => rp_id === party.id)
      .map(({ credential_id, transports }) => ({ id: text(credential_id), type: 'public-key', transports })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  };
}

export const requestOptionsFor = (party: RelyingParty, challenge: Uint8Array): RequestOptions => ({
  challenge: text(challenge),
  rpId: party.id,
  timeout: CHALLENGE_MS,
  userVerification: 'required',
});

export interface VerifiedPasskey {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
}

/** Checks a new passkey. Returns the reason if it is rejected. */
export async function verifyNewPasskey(
  credential: NewCredential,
  { party, challenge }: Ceremony,
): Promise<VerifiedPasskey | string> {
  const { verifyRegistrationResponse } = await library();
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const { attestationObject } = credential.response;
    const format = certifiedFormat(
      decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url'))),
    );
    if (format !== undefined)
      return `its attestation has the format "${format}"; expected "none", or "packed" without certificates`;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, response: { ...credential.response }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (registrationInfo === undefined) return 'its attestation is not valid';
    const { id, publicKey, counter } = registrationInfo.credential;
    return { credentialId: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey), counter };
  } catch (error) {
    return reasonOf(error);
  }
}

/** Checks the use of a passkey. Returns its new counter, or the reason if it is rejected. */
export async function verifyPasskeyUse(
  credential: UsedCredential,
  passkey: PasskeyRecord,
  { party, challenge }: Ceremony,
): Promise<number | string> {
  if (credential.response.userHandle !== text(userHandleOf(passkey.operator_id)))
    return 'its user handle names another person than the one that the passkey belongs to';
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: text(passkey.credential_id),
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
    });
    return verified ? authenticationInfo.newCounter : 'its signature does not match the stored public key';
  } catch (error) {
    return reasonOf(error);
  }
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/**
 * Returns the format of an attestation with certificates. Rowpress does not request one, so browsers remove it. The library would
 * download the revocation lists that its certificates name, from any address.
 */
function certifiedFormat(attestation: AttestationObject): string | undefined {
  const format = attestation.get('fmt');
  const isOwn = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  // Without a format the library cannot read it.
  return format === 'none' || isOwn ? undefined : format?.slice(0, MAX_FORMAT_CHARS);
}

/** How the library's messages of failed checks start. All others are internal errors. */
const CHECK_FAILED = /^(Unexpected|User|Response counter) /;

/** The library throws for every check that fails; its messages name what was expected and what was received. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && CHECK_FAILED.test(error.message) ? error.message : 'its data cannot be read';
