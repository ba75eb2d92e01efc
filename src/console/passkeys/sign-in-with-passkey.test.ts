import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { insertOperator } from '#storage/console/operators.ts';
import { insertChallenge } from '#storage/console/passkey-challenges.ts';
import { insertPasskey } from '#storage/console/passkeys.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { assertion, makePasskey } from '../../../test/support/software-authenticator.ts';
import { signInWithPasskey } from './sign-in-with-passkey.ts';
import { userHandleOf } from './web-authn.ts';

const PARTY = { id: 'localhost', origin: 'http://localhost:8080' };

test('[PPL22][PPL24] a passkey that an older node left behind after a removal: does not sign in, and uses up the challenge', async () => {
  const { db, pool } = await openTestDatabase();
  const [operatorId, now] = [randomUUID(), systemClock.now()];
  const passkey = makePasskey(Buffer.from(userHandleOf(operatorId)).toString('base64url'));
  await db.transaction().execute(async (tx) => {
    await insertOperator(tx, { id: operatorId, name: 'Ada', role: 'operator', accountId: null, now });
    const stored = { credentialId: passkey.id, publicKey: passkey.cosePublicKey, counter: 0 };
    const shown = { id: randomUUID(), operatorId, name: 'Laptop', rpId: PARTY.id, transports: [], now };
    await insertPasskey(tx, { ...stored, ...shown }, 20);
  });
  const signIn = async () => {
    const challenge = randomUUID();
    const hash = createHash('sha256').update(Buffer.from(challenge, 'base64url')).digest();
    await insertChallenge(db, { hash, operatorId: null, expiresAt: new Date(now.getTime() + 60_000) });
    const credential = assertion(passkey, { challenge }, { origin: PARTY.origin, rpId: PARTY.id });
    return signInWithPasskey(
      { db, clock: systemClock, ids: systemIds, session: { times: { idleSeconds: 60, maxSeconds: 60 } } },
      PARTY,
      { ...credential, type: 'public-key' },
      { address: '127.0.0.1', userAgent: null },
      async () => {},
    );
  };
  expect((await signIn()).operator).toMatchObject({ id: operatorId, name: 'Ada' });
  await pool.query('update operators set removed_at = $1', [now]);
  await expect(signIn()).rejects.toMatchObject({ code: 'PASSKEY_UNKNOWN' });
  const { rows } = await pool.query('select from passkey_challenges');
  expect(rows).toEqual([]);
});
