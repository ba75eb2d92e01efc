import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillServer, startBulkfillServer } from '../support/bulkfill-server.ts';
import { ConsoleClient, type Listed, type Session, signedIn } from '../support/console-client.ts';
import { RefusingAudit } from '../support/refusing-audit.ts';
import {
  assertion,
  makePasskey,
  registration,
  type SoftwarePasskey,
} from '../support/software-authenticator.ts';

interface Options {
  readonly challenge: string;
  readonly rpId: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly excludeCredentials: readonly { readonly id: string }[];
}
interface Listing {
  readonly id: string;
  readonly name: string;
  readonly operator: { readonly id: string; readonly name: string };
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly is_own: boolean;
}

let server: BulkfillServer;
let local: { readonly url: string };
let operator: ConsoleClient;
let page: { readonly origin: string; readonly rpId: string };
beforeAll(async () => {
  server = await startBulkfillServer();
  // Browsers create passkeys only for host names.
  local = { url: server.url.replace('127.0.0.1', 'localhost') };
  page = { origin: local.url, rpId: 'localhost' };
  operator = await signedIn({ ...server, url: local.url });
});
afterAll(() => server.stop());

/** One address and one person may get twenty challenges a minute. */
const waitForLimits = () => server.clock.advance(61_000);

async function join(name: string, role = 'operator', account?: string): Promise<ConsoleClient> {
  waitForLimits();
  const order = { name, role, ...(account !== undefined && { account }) };
  const { link } = (await operator.post<{ link: string }>('/invitations', order)).body;
  const client = new ConsoleClient(local);
  expect((await client.signIn(link)).status).toBe(200);
  return client;
}
const idOf = async (client: ConsoleClient) => (await client.get<Session>('/session')).body.operator.id;
const optionsFor = async (client: ConsoleClient) => (await client.post<Options>('/passkeys/options')).body;
const signInOptions = async (client = new ConsoleClient(local)) =>
  (await client.post<Options>('/session/passkey-options')).body;

async function add(client: ConsoleClient, name = 'Laptop') {
  const options = await optionsFor(client);
  const passkey = makePasskey(options.user.id);
  const answer = await client.post<Listing>('/passkeys', {
    name,
    credential: registration(passkey, options, page),
  });
  expect([answer.status, answer.body.error]).toEqual([201, undefined]);
  return { passkey, listed: answer.body };
}

async function signIn(passkey: SoftwarePasskey, client = new ConsoleClient(local)) {
  passkey.counter += 1;
  const answer = await client.post<Session>(
    '/session/passkey',
    assertion(passkey, await signInOptions(), page),
  );
  client.cookie = answer.headers.get('set-cookie')?.split(';', 1)[0];
  client.csrf = answer.body.csrf_token;
  return { ...answer, client };
}
const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body.error?.code,
];

describe('adding and using a passkey', () => {
  it('[PPL20][PPL21] a passkey that was added: signs in its person with an ordinary session', async () => {
    const ada = await join('Ada');
    const { passkey, listed } = await add(ada, 'Ada’s laptop');
    expect(listed).toMatchObject({
      name: 'Ada’s laptop',
      rp_id: 'localhost',
      last_used_at: null,
      is_own: true,
    });
    const { status, body, headers, client } = await signIn(passkey);
    expect([status, body.operator]).toEqual([200, { id: await idOf(ada), name: 'Ada' }]);
    expect(headers.get('set-cookie')).toMatch(
      /^rowpress_session=[A-Za-z0-9]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
    );
    const sessions = (await client.get<Listed<{ id: string; is_current: boolean }>>('/sessions')).body.items;
    const current = sessions.find(({ is_current }) => is_current);
    const own = (await client.get<Listed<Listing>>('/passkeys')).body.items.find(({ is_own }) => is_own);
    expect(Date.parse(own?.last_used_at ?? '')).toBeGreaterThanOrEqual(Date.parse(listed.created_at));
    expect((await operator.delete(`/sessions/${current?.id}`)).status).toBe(204);
    expect((await client.get<Session>('/session')).body).toEqual({ signed_in: false });
  });

  it('[PPL20] the options: name the host, require verification and exclude the passkeys that exist', async () => {
    const eve = await join('Eve');
    const { passkey } = await add(eve);
    expect(await optionsFor(eve)).toMatchObject({
      rp: { id: 'localhost', name: 'Rowpress' },
      user: { name: 'Eve' },
      excludeCredentials: [{ id: passkey.id.toString('base64url') }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(await signInOptions()).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  });

  it('[PPL20] the same passkey a second time, or a twenty-first one: 409', async () => {
    const bob = await join('Bob');
    const { passkey } = await add(bob);
    const again = await bob.post('/passkeys', {
      name: 'Again',
      credential: registration(passkey, await optionsFor(bob), page),
    });
    expect(outcome(again)).toEqual([409, 'PASSKEY_EXISTS']);
    waitForLimits();
    for (let n = 2; n <= 19; n += 1) await add(bob, `Key ${n}`);
    waitForLimits();
    // Two at the same moment: one is the twentieth.
    const both = await Promise.all(
      ['A', 'B'].map(async (name) => {
        const options = await optionsFor(bob);
        const credential = registration(makePasskey(options.user.id), options, page);
        return bob.post('/passkeys', { name, credential });
      }),
    );
    expect(both.map(outcome).sort()).toEqual([
      [201, undefined],
      [409, 'TOO_MANY_PASSKEYS'],
    ]);
  });

  it('[PPL27] a body that is too large or not a response of a browser: 413 or 400', async () => {
    const huge = { name: 'x', credential: 'x'.repeat(20_000) };
    expect(outcome(await operator.post('/passkeys', huge))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const nobody = new ConsoleClient(local);
    expect(outcome(await nobody.post('/session/passkey', huge))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(outcome(await nobody.post('/session/passkey', { id: 'x' }))).toEqual([400, 'INVALID_FIELD']);
    const { passkey } = await add(operator, 'Body');
    const unreadable = assertion(passkey, { challenge: '' }, page);
    unreadable.response.clientDataJSON = Buffer.from('[').toString('base64url');
    expect(outcome(await nobody.post('/session/passkey', unreadable))).toEqual([
      400,
      'PASSKEY_CHALLENGE_INVALID',
    ]);
  });

  it('[PPL27] more than twenty challenges a minute for one address: 429', async () => {
    waitForLimits();
    const nobody = new ConsoleClient(local);
    const statuses: number[] = [];
    for (let n = 0; n < 22; n += 1) statuses.push((await nobody.post('/session/passkey-options')).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
    waitForLimits();
    expect((await nobody.post('/session/passkey-options')).status).toBe(200);
  });
});

describe('challenges', () => {
  it('[PPL22] a response that is sent twice, even at the same moment: signs in once', async () => {
    const { passkey } = await add(await join('Twice'));
    passkey.counter += 1;
    const sent = assertion(passkey, await signInOptions(), page);
    const post = () => new ConsoleClient(local).post('/session/passkey', sent);
    const both = await Promise.all([post(), post()]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(outcome(await post())).toEqual([400, 'PASSKEY_CHALLENGE_INVALID']);
  });

  it('[PPL22] after a failed check: the challenge is used up', async () => {
    const { passkey } = await add(await join('Failed'));
    const options = await signInOptions();
    passkey.counter += 1;
    const nobody = new ConsoleClient(local);
    const wrong = assertion(passkey, options, page, { userVerified: false });
    expect(outcome(await nobody.post('/session/passkey', wrong))).toEqual([400, 'PASSKEY_REJECTED']);
    const right = assertion(passkey, options, page);
    expect(outcome(await nobody.post('/session/passkey', right))).toEqual([400, 'PASSKEY_CHALLENGE_INVALID']);
  });

  it('[PPL22] a challenge older than five minutes: rejected', async () => {
    const person = await join('Slow');
    const { passkey } = await add(person);
    const [options, adding] = [await signInOptions(), await optionsFor(person)];
    passkey.counter += 1;
    server.clock.advance(300_000);
    const late = await person.post('/session/passkey', assertion(passkey, options, page));
    expect(outcome(late)).toEqual([400, 'PASSKEY_CHALLENGE_INVALID']);
    const credential = registration(makePasskey(adding.user.id), adding, page);
    expect(outcome(await person.post('/passkeys', { name: 'Late', credential }))).toEqual([
      400,
      'PASSKEY_CHALLENGE_INVALID',
    ]);
  });

  it('[PPL22] a challenge of another person, or of the other purpose: rejected', async () => {
    const [one, two] = [await join('One'), await join('Two')];
    const foreign = await optionsFor(one);
    const passkey = makePasskey((await optionsFor(two)).user.id);
    const stolen = { name: 'Stolen', credential: registration(passkey, foreign, page) };
    expect(outcome(await two.post('/passkeys', stolen))).toEqual([400, 'PASSKEY_CHALLENGE_INVALID']);
    const crossed = { name: 'Crossed', credential: registration(passkey, await signInOptions(), page) };
    expect(outcome(await two.post('/passkeys', crossed))).toEqual([400, 'PASSKEY_CHALLENGE_INVALID']);
    const added = (await add(two)).passkey;
    const used = assertion(added, await optionsFor(two), page);
    expect(outcome(await two.post('/session/passkey', used))).toEqual([400, 'PASSKEY_CHALLENGE_INVALID']);
  });
});

describe('checks', () => {
  const attempt = async (passkey: SoftwarePasskey, at = page, choice = {}) => {
    const sent = assertion(passkey, await signInOptions(), at, choice);
    return new ConsoleClient(local).post('/session/passkey', sent);
  };

  it('[PPL23] another origin, host or no verification: rejected with what was expected', async () => {
    const ada = await join('Checked');
    const { passkey } = await add(ada);
    passkey.counter += 1;
    const origin = await attempt(passkey, { ...page, origin: 'https://evil.example' });
    expect(outcome(origin)).toEqual([400, 'PASSKEY_REJECTED']);
    expect(origin.body.error.message).toContain('https://evil.example');
    expect(origin.body.error.message).toContain(local.url);
    for (const refused of [
      await attempt(passkey, { ...page, rpId: 'evil.example' }),
      await attempt(passkey, page, { userVerified: false }),
    ])
      expect(outcome(refused)).toEqual([400, 'PASSKEY_REJECTED']);
    for (const [at, choice] of [
      [{ ...page, origin: 'https://evil.example' }, {}],
      [{ ...page, rpId: 'evil.example' }, {}],
      [page, { userVerified: false }],
    ] as const) {
      const options = await optionsFor(ada);
      const credential = registration(makePasskey(options.user.id), options, at, choice);
      expect(outcome(await ada.post('/passkeys', { name: 'Wrong', credential }))).toEqual([
        400,
        'PASSKEY_REJECTED',
      ]);
    }
    expect((await signIn(passkey)).status).toBe(200);
  });

  it('[PPL23] a certificate of the maker, which was not requested: rejected without reading it', async () => {
    const person = await join('Certified');
    const options = await optionsFor(person);
    const credential = registration(makePasskey(options.user.id), options, page, { isCertified: true });
    const answer = await person.post('/passkeys', { name: 'Certified', credential });
    expect(outcome(answer)).toEqual([400, 'PASSKEY_REJECTED']);
    expect(answer.body.error.message).toBe(
      'The passkey was rejected: its attestation has the format "apple"; expected "none", or "packed" without certificates.',
    );
  });

  it('[PPL23] data that cannot be read: rejected without a message of the program', async () => {
    const person = await join('Garbled');
    const { passkey } = await add(person);
    const garbled = Buffer.from('a0', 'hex').toString('base64url');
    const options = await optionsFor(person);
    const credential = registration(makePasskey(options.user.id), options, page);
    credential.response.attestationObject = garbled;
    const used = assertion(passkey, await signInOptions(), page);
    used.response.authenticatorData = garbled;
    for (const answer of [
      await person.post('/passkeys', { name: 'Garbled', credential }),
      await new ConsoleClient(local).post('/session/passkey', used),
    ])
      expect([...outcome(answer), answer.body.error.message]).toEqual([
        400,
        'PASSKEY_REJECTED',
        'The passkey was rejected: its data cannot be read.',
      ]);
  });

  it('[PPL23] a counter that does not grow: rejected, because the passkey was copied', async () => {
    const { passkey } = await add(await join('Copied'));
    passkey.counter = 6;
    expect((await signIn(passkey)).status).toBe(200);
    for (const counter of [7, 6, 0]) {
      passkey.counter = counter;
      expect(outcome(await attempt(passkey))).toEqual([400, 'PASSKEY_REJECTED']);
    }
    passkey.counter = 8;
    expect((await attempt(passkey)).status).toBe(200);
  });

  it('[PPL23] a device without a counter: always reports 0 and signs in every time', async () => {
    const { passkey } = await add(await join('Synced'));
    for (let n = 0; n < 2; n += 1) expect((await attempt(passkey)).status).toBe(200);
  });

  it('[PPL24] an unknown passkey, or the one of another person: rejected', async () => {
    const [ada, bea] = [await add(await join('Ann')), await add(await join('Bea'))];
    expect(outcome(await signIn(makePasskey(ada.passkey.userHandle)))).toEqual([401, 'PASSKEY_UNKNOWN']);
    // The id of one passkey with the key of another, and a user handle of another person.
    const forged = { ...bea.passkey, id: ada.passkey.id, userHandle: ada.passkey.userHandle, counter: 1 };
    expect(outcome(await attempt(forged))).toEqual([400, 'PASSKEY_REJECTED']);
    const swapped = { ...ada.passkey, userHandle: bea.passkey.userHandle, counter: 1 };
    expect(outcome(await attempt(swapped))).toEqual([400, 'PASSKEY_REJECTED']);
  });

  it('[PPL24] a person who was removed: the passkey is unknown', async () => {
    const person = await join('Gone');
    const { passkey } = await add(person);
    expect((await operator.delete(`/operators/${await idOf(person)}`)).status).toBe(204);
    expect(outcome(await signIn(passkey))).toEqual([401, 'PASSKEY_UNKNOWN']);
    const { items } = (await operator.get<Listed<Listing>>('/passkeys?limit=100')).body;
    expect(items.filter(({ operator }) => operator.name === 'Gone')).toEqual([]);
  });
});

describe('managing passkeys', () => {
  const names = async (client: ConsoleClient) =>
    (await client.get<Listed<Listing>>('/passkeys?limit=100')).body.items.map(({ name }) => name);

  it('[PPL25] people: see, rename and remove their own; those of others are 404', async () => {
    const account = (await server.account()).name;
    const [runner, designer] = [await join('Run', 'runner', account), await join('Des', 'designer', account)];
    const { listed } = await add(runner, 'Phone');
    expect([await names(runner), await names(designer)]).toEqual([['Phone'], []]);
    expect(outcome(await designer.patch(`/passkeys/${listed.id}`, { name: 'Mine' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(outcome(await designer.delete(`/passkeys/${listed.id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await runner.patch(`/passkeys/${listed.id}`, { name: 'Old phone' })).status).toBe(204);
    expect(await names(runner)).toEqual(['Old phone']);
    expect((await runner.delete(`/passkeys/${listed.id}`)).status).toBe(204);
    expect(await names(runner)).toEqual([]);
    expect(outcome(await runner.delete(`/passkeys/${listed.id}`))).toEqual([404, 'NOT_FOUND']);
  });

  it('[PPL25] operators: see the passkeys of all, and remove that of a lost device; auditors only see', async () => {
    const [auditor, person] = [await join('Aud', 'auditor'), await join('Lost')];
    const { passkey, listed } = await add(person, 'Lost phone');
    expect(await names(auditor)).toContain('Lost phone');
    expect(outcome(await auditor.delete(`/passkeys/${listed.id}`))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await operator.patch(`/passkeys/${listed.id}`, { name: 'Mine' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(await names(operator)).toContain('Lost phone');
    expect((await operator.delete(`/passkeys/${listed.id}`)).status).toBe(204);
    expect(outcome(await signIn(passkey))).toEqual([401, 'PASSKEY_UNKNOWN']);
    expect((await person.get<Session>('/session')).body.signed_in).toBe(true);
  });

  it('[PPL26] adding, renaming, removing and signing in: recorded with a link to the person', async () => {
    const person = await join('Audited');
    const id = await idOf(person);
    const { passkey, listed } = await add(person, 'First');
    await person.patch(`/passkeys/${listed.id}`, { name: 'Second' });
    await signIn(passkey);
    await operator.delete(`/passkeys/${listed.id}`);
    const { items } = (
      await operator.get<Listed<{ action: string; target: string; details: object; link: object | null }>>(
        '/audit?limit=4',
      )
    ).body;
    const link = { kind: 'operator', name: 'Audited', path: `/console/operators?operator=${id}` };
    const about = (name: string) => ({ target: listed.id, details: { operator_id: id, name }, link });
    expect(items).toMatchObject([
      { action: 'passkey.removed', ...about('Second') },
      { action: 'signed-in', details: { method: 'passkey', passkey_id: listed.id } },
      { action: 'passkey.renamed', ...about('Second') },
      { action: 'passkey.added', ...about('First') },
    ]);
  });

  it('[PPL12][PPL26] a change whose audit entry cannot be written: does not happen, and can be repeated', async () => {
    const person = await join('Refused');
    const { passkey, listed } = await add(person);
    const audit = new RefusingAudit(server.env.DATABASE_URL ?? '');
    await audit.prepare();
    const options = await optionsFor(person);
    const credential = registration(makePasskey(options.user.id), options, page);
    passkey.counter += 1;
    const used = assertion(passkey, await signInOptions(), page);
    try {
      for (const send of [
        () => person.post('/passkeys', { name: 'Other', credential }),
        () => person.patch(`/passkeys/${listed.id}`, { name: 'Renamed' }),
        () => new ConsoleClient(local).post('/session/passkey', used),
        () => person.delete(`/passkeys/${listed.id}`),
      ]) {
        await audit.set('refuses');
        const before = await audit.digest();
        expect((await send()).status).toBeGreaterThanOrEqual(500);
        expect(await audit.digest()).toBe(before);
        await audit.set('accepts');
        expect((await send()).status).toBeLessThan(300);
        expect(await audit.digest()).not.toBe(before);
      }
    } finally {
      await audit.close();
    }
  });
});

describe('addresses', () => {
  const code = async (url: string, headers: Record<string, string> = {}) => {
    const client = new ConsoleClient({ url });
    return (await client.request('POST', '/session/passkey-options', { headers })).body.error;
  };

  it('[PPL28] an address that is a number: explains that localhost works', async () => {
    waitForLimits();
    const error = await code(server.url);
    expect(error.code).toBe('PASSKEY_ADDRESS_UNSUITABLE');
    expect(error.message).toContain(`the address is ${server.url}. Open ${local.url} instead.`);
  });

  it('[PPL22][PPL28] two nodes behind one public address: one creates the challenge, the other accepts it', async () => {
    const env = { ROWPRESS_PUBLIC_URL: 'https://rowpress.example/app', ROWPRESS_ROLE: 'api' };
    const first = await startBulkfillServer(env);
    const second = await startBulkfillServer({
      ...env,
      DATABASE_URL: first.env.DATABASE_URL ?? '',
      ROWPRESS_DATA_DIR: first.env.ROWPRESS_DATA_DIR ?? '',
    });
    try {
      const [one, two] = [await signedIn(first), new ConsoleClient(second)];
      const options = await optionsFor(one);
      const passkey = makePasskey(options.user.id);
      const there = { origin: 'https://rowpress.example', rpId: 'rowpress.example' };
      two.cookie = one.cookie;
      two.csrf = one.csrf;
      const credential = registration(passkey, options, there);
      expect((await two.post('/passkeys', { name: 'Shared', credential })).status).toBe(201);
      const used = assertion(passkey, await signInOptions(one), there);
      expect((await new ConsoleClient(second).post('/session/passkey', used)).status).toBe(200);
    } finally {
      await second.stop();
      await first.stop();
    }
  });
});
