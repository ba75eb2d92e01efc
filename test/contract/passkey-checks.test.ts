import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Listed } from '../support/console-client.ts';
import { idOf, type ListedPasskey, optionsFor, outcome, PasskeyScene } from '../support/passkey-scene.ts';
import {
  assertion,
  makePasskey,
  registration,
  type SoftwarePasskey,
} from '../support/software-authenticator.ts';

let scene: PasskeyScene;
beforeAll(async () => {
  scene = await PasskeyScene.start();
});
afterAll(() => scene.server.stop());

describe('challenges', () => {
  it('[PPL22] a response that is sent twice, even at the same moment: signs in once', async () => {
    const { passkey } = await scene.add(await scene.join('Twice'));
    passkey.counter += 1;
    const sent = assertion(passkey, await scene.signInOptions(), scene.page);
    const post = () => scene.nobody().post('/session/passkey', sent);
    const both = await Promise.all([post(), post()]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(outcome(await post())).toEqual([400, 'PASSKEY_CHALLENGE_INVALID']);
  });

  it('[PPL22] after a failed check: the challenge is used up', async () => {
    const { passkey } = await scene.add(await scene.join('Failed'));
    const options = await scene.signInOptions();
    passkey.counter += 1;
    const nobody = scene.nobody();
    const wrong = assertion(passkey, options, scene.page, { userVerified: false });
    expect(outcome(await nobody.post('/session/passkey', wrong))).toEqual([400, 'PASSKEY_REJECTED']);
    const right = assertion(passkey, options, scene.page);
    expect(outcome(await nobody.post('/session/passkey', right))).toEqual([400, 'PASSKEY_CHALLENGE_INVALID']);
  });

  it('[PPL22] a challenge older than five minutes: rejected', async () => {
    const person = await scene.join('Slow');
    const { passkey } = await scene.add(person);
    const [options, adding] = [await scene.signInOptions(), await optionsFor(person)];
    passkey.counter += 1;
    scene.server.clock.advance(300_000);
    const late = await person.post('/session/passkey', assertion(passkey, options, scene.page));
    expect(outcome(late)).toEqual([400, 'PASSKEY_CHALLENGE_INVALID']);
    const credential = registration(makePasskey(adding.user.id), adding, scene.page);
    expect(outcome(await person.post('/passkeys', { name: 'Late', credential }))).toEqual([
      400,
      'PASSKEY_CHALLENGE_INVALID',
    ]);
  });

  it('[PPL22] a challenge of another person, or of the other purpose: rejected', async () => {
    const [one, two] = [await scene.join('One'), await scene.join('Two')];
    const foreign = await optionsFor(one);
    const passkey = makePasskey((await optionsFor(two)).user.id);
    const stolen = { name: 'Stolen', credential: registration(passkey, foreign, scene.page) };
    expect(outcome(await two.post('/passkeys', stolen))).toEqual([400, 'PASSKEY_CHALLENGE_INVALID']);
    const crossed = {
      name: 'Crossed',
      credential: registration(passkey, await scene.signInOptions(), scene.page),
    };
    expect(outcome(await two.post('/passkeys', crossed))).toEqual([400, 'PASSKEY_CHALLENGE_INVALID']);
    const added = (await scene.add(two)).passkey;
    const used = assertion(added, await optionsFor(two), scene.page);
    expect(outcome(await two.post('/session/passkey', used))).toEqual([400, 'PASSKEY_CHALLENGE_INVALID']);
  });
});

describe('checks', () => {
  const attempt = async (passkey: SoftwarePasskey, at = scene.page, choice = {}) => {
    const sent = assertion(passkey, await scene.signInOptions(), at, choice);
    return scene.nobody().post('/session/passkey', sent);
  };

  it('[PPL23] another origin, host or no verification: rejected with what was expected', async () => {
    const ada = await scene.join('Checked');
    const { passkey } = await scene.add(ada);
    passkey.counter += 1;
    const origin = await attempt(passkey, { ...scene.page, origin: 'https://evil.example' });
    expect(outcome(origin)).toEqual([400, 'PASSKEY_REJECTED']);
    expect(origin.body.error.message).toContain('https://evil.example');
    expect(origin.body.error.message).toContain(scene.local.url);
    for (const refused of [
      await attempt(passkey, { ...scene.page, rpId: 'evil.example' }),
      await attempt(passkey, scene.page, { userVerified: false }),
    ])
      expect(outcome(refused)).toEqual([400, 'PASSKEY_REJECTED']);
    for (const [at, choice] of [
      [{ ...scene.page, origin: 'https://evil.example' }, {}],
      [{ ...scene.page, rpId: 'evil.example' }, {}],
      [scene.page, { userVerified: false }],
    ] as const) {
      const options = await optionsFor(ada);
      const credential = registration(makePasskey(options.user.id), options, at, choice);
      expect(outcome(await ada.post('/passkeys', { name: 'Wrong', credential }))).toEqual([
        400,
        'PASSKEY_REJECTED',
      ]);
    }
    expect((await scene.signIn(passkey)).status).toBe(200);
  });

  it('[PPL23] a certificate of the maker, which was not requested: rejected without reading it', async () => {
    const person = await scene.join('Certified');
    const options = await optionsFor(person);
    const credential = registration(makePasskey(options.user.id), options, scene.page, { isCertified: true });
    const answer = await person.post('/passkeys', { name: 'Certified', credential });
    expect(outcome(answer)).toEqual([400, 'PASSKEY_REJECTED']);
    expect(answer.body.error.message).toBe(
      'The passkey was rejected: its attestation has the format "apple"; expected "none", or "packed" without certificates.',
    );
  });

  it('[PPL23] data that cannot be read: rejected without a message of the program', async () => {
    const person = await scene.join('Garbled');
    const { passkey } = await scene.add(person);
    const garbled = Buffer.from('a0', 'hex').toString('base64url');
    const options = await optionsFor(person);
    const credential = registration(makePasskey(options.user.id), options, scene.page);
    credential.response.attestationObject = garbled;
    const used = assertion(passkey, await scene.signInOptions(), scene.page);
    used.response.authenticatorData = garbled;
    for (const answer of [
      await person.post('/passkeys', { name: 'Garbled', credential }),
      await scene.nobody().post('/session/passkey', used),
    ])
      expect([...outcome(answer), answer.body.error.message]).toEqual([
        400,
        'PASSKEY_REJECTED',
        'The passkey was rejected: its data cannot be read.',
      ]);
  });

  it('[PPL23] a counter that does not grow: rejected, because the passkey was copied', async () => {
    const { passkey } = await scene.add(await scene.join('Copied'));
    passkey.counter = 6;
    expect((await scene.signIn(passkey)).status).toBe(200);
    for (const counter of [7, 6, 0]) {
      passkey.counter = counter;
      expect(outcome(await attempt(passkey))).toEqual([400, 'PASSKEY_REJECTED']);
    }
    passkey.counter = 8;
    expect((await attempt(passkey)).status).toBe(200);
  });

  it('[PPL23] a device without a counter: always reports 0 and signs in every time', async () => {
    const { passkey } = await scene.add(await scene.join('Synced'));
    for (let n = 0; n < 2; n += 1) expect((await attempt(passkey)).status).toBe(200);
  });

  it('[PPL24] an unknown passkey, or the one of another person: rejected', async () => {
    const [ada, bea] = [await scene.add(await scene.join('Ann')), await scene.add(await scene.join('Bea'))];
    expect(outcome(await scene.signIn(makePasskey(ada.passkey.userHandle)))).toEqual([
      401,
      'PASSKEY_UNKNOWN',
    ]);
    // The id of one passkey with the key of another, and a user handle of another person.
    const forged = { ...bea.passkey, id: ada.passkey.id, userHandle: ada.passkey.userHandle, counter: 1 };
    expect(outcome(await attempt(forged))).toEqual([400, 'PASSKEY_REJECTED']);
    const swapped = { ...ada.passkey, userHandle: bea.passkey.userHandle, counter: 1 };
    expect(outcome(await attempt(swapped))).toEqual([400, 'PASSKEY_REJECTED']);
  });

  it('[PPL24] a person who was removed: the passkey is unknown', async () => {
    const person = await scene.join('Gone');
    const { passkey } = await scene.add(person);
    expect((await scene.operator.delete(`/operators/${await idOf(person)}`)).status).toBe(204);
    expect(outcome(await scene.signIn(passkey))).toEqual([401, 'PASSKEY_UNKNOWN']);
    const { items } = (await scene.operator.get<Listed<ListedPasskey>>('/passkeys?limit=100')).body;
    expect(items.filter(({ operator }) => operator.name === 'Gone')).toEqual([]);
  });
});
