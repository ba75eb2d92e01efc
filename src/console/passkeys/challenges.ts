import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import {
  deleteChallenge,
  insertChallenge,
  isUsableChallenge,
  type StoredChallenge,
} from '#storage/console/passkey-challenges.ts';
import type { Db, Tx } from '#storage/database.ts';
import { refuse } from '../errors.ts';

const CHALLENGE_BYTES = 32;
/** How long a person has to confirm; browsers get the same limit. */
export const CHALLENGE_MS = 300_000;

interface ChallengeParts {
  readonly db: Db;
  readonly clock: Clock;
}

/** Creates a challenge for a person who adds a passkey, or for a sign-in (null). Stores only its hash. */
export async function makeChallenge(
  { db, clock }: ChallengeParts,
  operatorId: string | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(CHALLENGE_BYTES));
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_MS);
  await insertChallenge(db, { hash: hashOf(challenge), operatorId, expiresAt });
  return challenge;
}

/** A challenge that was found and not used yet. */
export interface OpenChallenge {
  /** As the browser returned it. */
  readonly text: string;
  /** Uses the challenge. Throws if a concurrent request has used it. */
  spend(tx: Tx): Promise<void>;
  /** Uses the challenge without an effect, after a failed check. */
  drop(): Promise<void>;
}

/** Finds the challenge in the data that the browser signed. Throws if this server did not create it for this purpose. */
export async function openChallenge(
  { db, clock }: ChallengeParts,
  clientDataJson: string,
  operatorId: string | null,
): Promise<OpenChallenge> {
  const text = challengeIn(clientDataJson);
  const stored: StoredChallenge = { hash: hashOf(Buffer.from(text, 'base64url')), operatorId };
  if (!(await isUsableChallenge(db, stored, clock.now()))) throw invalid();
  return {
    text,
    spend: async (tx) => {
      if (!(await deleteChallenge(tx, stored))) throw invalid();
    },
    drop: async () => void (await deleteChallenge(db, stored)),
  };
}

const hashOf = (challenge: Uint8Array): Buffer => createHash('sha256').update(challenge).digest();

const invalid = () =>
  refuse(
    'PASSKEY_CHALLENGE_INVALID',
    'Expected a challenge that this server created in the last five minutes for this purpose and that was not used; received another one. Start again.',
  );

function challengeIn(clientDataJson: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as {
      challenge?: unknown;
    };
    if (typeof challenge === 'string') return challenge;
  } catch {
    // Not JSON: the same answer as for an unknown challenge.
  }
  throw invalid();
}
