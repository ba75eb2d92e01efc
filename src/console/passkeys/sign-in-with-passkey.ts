import { holdOperator, lockOperators } from '#storage/console/operators.ts';
import { findPasskey, notePasskeyUse, type PasskeyRecord } from '#storage/console/passkeys.ts';
import type { Tx } from '#storage/database.ts';
import type { UsedCredential } from '../contract/passkeys.ts';
import { refuse } from '../errors.ts';
import { type SignedIn, type SignInParts, startSession, type Visitor } from '../session/sign-in.ts';
import { openChallenge } from './challenges.ts';
import type { RelyingParty } from './relying-party.ts';
import { verifyPasskeyUse } from './web-authn.ts';

/**
 * Exchanges the use of a passkey for a session. The signature is checked before the transaction, so that forged requests lock nothing.
 * The challenge is used up whether the check succeeds or not.
 */
export async function signInWithPasskey(
  parts: SignInParts,
  party: RelyingParty,
  credential: UsedCredential,
  visitor: Visitor,
  alongside: (tx: Tx, passkey: PasskeyRecord) => Promise<void>,
): Promise<SignedIn> {
  const { db, clock } = parts;
  const challenge = await openChallenge(parts, credential.response.clientDataJSON, null);
  const passkey = await findPasskey(db, Buffer.from(credential.id, 'base64url'));
  if (passkey === undefined) {
    await challenge.drop();
    throw unknown();
  }
  const counter = await verifyPasskeyUse(credential, passkey, { party, challenge: challenge.text });
  if (typeof counter === 'string') {
    await challenge.drop();
    throw rejected(counter);
  }
  const now = clock.now();
  const outcome = await db.transaction().execute(async (tx) => {
    await lockOperators(tx);
    await challenge.spend(tx);
    // Errors of this check are returned, so that the use of the challenge is committed.
    const operator = await holdOperator(tx, passkey.operator_id);
    if (operator === undefined) return unknown();
    if (!(await notePasskeyUse(tx, passkey.id, { counter, now })))
      return rejected(`it was removed or used with a counter of ${counter} or more meanwhile`);
    const signedIn = await startSession(tx, parts, operator, visitor, now);
    await alongside(tx, passkey);
    return signedIn;
  });
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

export const rejected = (reason: string) =>
  refuse('PASSKEY_REJECTED', `The passkey was rejected: ${reason}.`);

const unknown = () =>
  refuse(
    'PASSKEY_UNKNOWN',
    'Expected a passkey of a person of this installation; received one that is not stored here or was removed. Sign in with a link.',
  );
