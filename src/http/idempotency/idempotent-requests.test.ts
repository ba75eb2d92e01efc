import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { canonicalDigest } from '#engine/requests/request-identity.ts';
import { InstallationSecret } from '#engine/secrets.ts';
import { ManualClock } from '#lib/clock.ts';
import type { Tx } from '#storage/database.ts';
import { count, startTestEngine, type TestEngine } from '../../../test/support/engine.ts';
import { setPrincipal } from '../principal.ts';
import { type RequestConflict, watchConflicts } from '../watch-conflicts.ts';
import { IdempotentRequests } from './idempotent-requests.ts';
import { currentState, firstResponse, verbatim } from './policies.ts';
import type { KeyRule } from './request-key.ts';
import { jsonResponse, sendOnce } from './wire-response.ts';

const secrets = new InstallationSecret(Buffer.alloc(32, 7)).box('webhook');
const key: KeyRule = {
  header: 'request-key',
  parse: (text) => (/^[a-z]+$/i.test(text) ? text.toLowerCase() : undefined),
  malformed: () => new Error('malformed key'),
};
const required = { ...key, missing: () => new Error('missing key') };
const windowSeconds = 60;
const conflict = (differsIn: readonly string[]) => new Error(`conflict: ${differsIn.join()}`);
const digests = ({ body }: FastifyRequest) => ({
  digest: canonicalDigest(body),
  parts: Object.fromEntries(
    Object.entries(body as object).map(([name, value]) => [name, canonicalDigest(value).toString('hex')]),
  ),
});

interface Scene {
  readonly engine: TestEngine;
  readonly clock: ManualClock;
  readonly conflicts: RequestConflict[];
  post(
    path: string,
    body: object,
    requestKey?: string,
  ): Promise<{ status: number; text: string; replay: unknown; body: Record<string, unknown> }>;
}

/** One route per policy, over a real engine. */
async function startScene(routes: (app: FastifyInstance, parts: TestEngine) => void): Promise<Scene> {
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  const engine = await startTestEngine({ clock });
  const conflicts: RequestConflict[] = [];
  const app = Fastify();
  onTestFinished(() => app.close());
  watchConflicts(app, (found) => void conflicts.push(found));
  app.addHook('onRequest', async (request) =>
    setPrincipal(request, {
      accountId: engine.accountId,
      accountName: 'demo',
      plan: 'unlimited',
      keyId: 'k',
      scopes: [],
      partnerId: null,
      warehouses: null,
    }),
  );
  app.register(async (scope) => routes(scope, engine));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const post: Scene['post'] = async (path, body, requestKey) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(requestKey !== undefined && { 'request-key': requestKey }),
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, replay: response.headers.get('replay'), body: JSON.parse(text) };
  };
  return { engine, clock, conflicts, post };
}

const partsOf = ({ engine, parts }: TestEngine) => ({ engine, db: parts.database.db, clock: parts.clock });
let runs = 0;
const effect = async (tx: Tx) => {
  runs += 1;
  await sql`insert into example_effects (job_id, n, attempt) values (gen_random_uuid(), ${runs}, 0)`.execute(
    tx,
  );
  return jsonResponse(201, { run: runs }, { location: '/here' });
};

test('[REQ1] [REQ2] policy "current state": replays the current job, and names the parts of a conflict', async () => {
  const { engine, post, conflicts } = await startScene((app, test) => {
    const requests = new IdempotentRequests(
      partsOf(test),
      currentState(test.parts.database.db, {
        surface: 'bulkfill',
        key: required,
        windowSeconds,
        conflict,
        unreportedParts: ['raw'],
      }),
    );
    app.post('/jobs', async (request) => {
      const identified = { ...requests.identify(request, 'jobs'), body: () => digests(request) };
      const accept = () =>
        requests.accept(identified, {
          kind: 'example.sum',
          input: { count: 1, sliceSize: 1 },
          refused: (outcome) => new Error(outcome),
        });
      const { result, replayed } = await requests.once(identified, accept);
      return { id: result.id, state: result.state, replayed };
    });
  });
  expect((await post('/jobs', {})).body).toMatchObject({ message: 'missing key' });
  const first = await post('/jobs', { rows: 1, raw: 'a' }, 'k');
  expect(first.body).toMatchObject({ state: 'queued', replayed: false });
  await engine.engine.cancel(String(first.body.id));
  const again = await post('/jobs', { raw: 'a', rows: 1 }, 'k');
  expect(again.body).toEqual({ id: first.body.id, state: 'failed', replayed: true });
  expect((await post('/jobs', { rows: 2, raw: 'b' }, 'k')).body).toMatchObject({ message: 'conflict: rows' });
  expect(conflicts).toMatchObject([{ surface: 'bulkfill', key: 'k', differsIn: ['rows'] }]);
});

test('[REQ1] [REQ5] [REQ6] policy "first response": replays stored bytes, encrypted if they contain a secret', async () => {
  const { engine, post, conflicts, clock } = await startScene((app, test) => {
    const requests = new IdempotentRequests(
      partsOf(test),
      firstResponse(secrets, {
        surface: 'subscribers',
        key,
        windowSeconds,
        conflict,
        replayHeaders: () => ({ replay: 'first' }),
      }),
    );
    for (const sealed of [false, true])
      app.post(sealed ? '/sealed' : '/plain', async (request, reply) => {
        const scope = sealed ? 'sealed' : 'plain';
        const identified = { ...requests.identify(request, scope), body: () => digests(request) };
        await sendOnce(reply, await requests.run(identified, effect, { sealed }));
      });
  });
  for (const path of ['/plain', '/sealed']) {
    const first = await post(path, { a: 1 }, 'k');
    expect([first.status, first.replay]).toEqual([201, null]);
    expect(await post(path, { a: 1 }, 'k')).toEqual({ ...first, replay: 'first' });
    expect((await post(path, { a: 2 }, 'k')).body).toMatchObject({ message: 'conflict: a' });
    expect((await post(path, { a: 1 })).text).not.toBe(first.text);
    expect((await post(path, { a: 1 }, '1')).body).toMatchObject({ message: 'malformed key' });
  }
  expect(conflicts.map(({ surface, differsIn }) => [surface, differsIn])).toEqual([
    ['subscribers', ['a']],
    ['subscribers', ['a']],
  ]);
  // Compared as bytes: a sealed body is random and may hold any of them.
  const readable = "select count(*) from request_keys where position('run'::bytea in response_body) > 0";
  expect(await count(engine, readable)).toBe(1);
  clock.advance(windowSeconds * 1000);
  expect((await post('/plain', { a: 2 }, 'k')).replay).toBeNull();
});

test('[REQ1] [REQ4] policy "verbatim": replays for any body, with a warning; the wait is limited', async () => {
  const begun = Promise.withResolvers<void>();
  const turn = Promise.withResolvers<void>();
  const wait = { ms: 30_000, tooLong: () => new Error('still running') };
  const { engine, post, conflicts } = await startScene((app, test) => {
    const requests = new IdempotentRequests(
      partsOf(test),
      verbatim({
        surface: 'ingest',
        key: required,
        windowSeconds,
        replayHeaders: (differsIn) => ({ replay: differsIn.length > 0 ? 'warned' : 'same' }),
        wait,
      }),
    );
    app.post('/:mode', async (request, reply) => {
      const { mode } = request.params as { mode: string };
      const { parts } = digests(request);
      const identified = { ...requests.identify(request, 'scope'), body: () => ({ digest: null, parts }) };
      const perform = async () => {
        if (mode === 'slow') {
          begun.resolve();
          await turn.promise;
        }
        if (mode === 'rejected') throw new Error('rejected');
        return requests.run(identified, effect, { remember: mode !== 'trial' });
      };
      await sendOnce(reply, await requests.once(identified, perform));
    });
  });
  const before = await count(engine, 'select count(*) from example_effects');
  expect((await post('/trial', { a: 1 }, 'k')).status).toBe(201);
  expect((await post('/rejected', { a: 1 }, 'k')).body).toMatchObject({ message: 'rejected' });
  expect(await count(engine, 'select count(*) from request_keys')).toBe(0);
  expect(await count(engine, 'select count(*) from example_effects')).toBe(before);

  const slow = post('/slow', { a: 1 }, 'k');
  await begun.promise;
  wait.ms = 20;
  expect((await post('/fast', { a: 1 }, 'K')).body).toMatchObject({ message: 'still running' });
  wait.ms = 30_000;
  turn.resolve();
  const first = await slow;
  expect(await post('/fast', { a: 1 }, 'K')).toEqual({ ...first, replay: 'same' });
  expect(await post('/rejected', { a: 2 }, 'K')).toEqual({ ...first, replay: 'warned' });
  expect(conflicts).toMatchObject([{ surface: 'ingest', key: 'k', differsIn: ['a'] }]);
  expect(await count(engine, 'select count(*) from example_effects')).toBe(before + 1);
});
