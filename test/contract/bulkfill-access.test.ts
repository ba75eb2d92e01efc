import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillClient, openScene, type Scene } from '../support/bulkfill-client.ts';
import type { TestAccount } from '../support/bulkfill-server.ts';
import { signedIn } from '../support/console-client.ts';

let scene: Scene;
let client: BulkfillClient;
let jobId: string;
beforeAll(async () => {
  scene = await openScene();
  client = scene.client;
  jobId = (await client.create()).body.job_id;
});
afterAll(() => scene.server.stop());

const JOBS = '/v1/bulkfill/export-jobs';
const asKey = (value: string) => ({ headers: { authorization: value } });

describe('keys', () => {
  const codeWith = async (value: string) => {
    const { status, body, headers } = await client.request(`${JOBS}/${jobId}`, asKey(value));
    return { status, code: body.code, message: body.message, challenge: headers.get('www-authenticate') };
  };

  it('[BF1] a request without a Bearer key: 401 on every route', async () => {
    const { key } = client.account;
    const required = { status: 401, code: 'BF_EXPORT_API_KEY_REQUIRED', challenge: 'Bearer' };
    for (const value of ['', 'Bearer', 'Bearer ', key, `Basic ${key}`])
      expect(await codeWith(value), value).toMatchObject(required);
    for (const [method, path] of [
      ['POST', JOBS],
      ['GET', JOBS],
      ['GET', `${JOBS}/${jobId}`],
      ['DELETE', `${JOBS}/${jobId}`],
      ['GET', `${JOBS}/${jobId}/download`],
      ['GET', `${JOBS}/${jobId}/manifest`],
      ['GET', `${JOBS}/${jobId}/events`],
      ['GET', `${JOBS}/${jobId}/rows/1.pdf`],
      ['GET', `${JOBS}/${jobId}/rows/1.png`],
      ['POST', `${JOBS}/${jobId}/retry`],
      ['GET', '/v1/bulkfill/idempotency-keys?key=a'],
    ] as const) {
      const response = await fetch(`${scene.server.url}${path}`, { method });
      expect([path, response.status, ((await response.json()) as { code: string }).code]).toEqual([
        path,
        401,
        'BF_EXPORT_API_KEY_REQUIRED',
      ]);
    }
  });

  it('[BF2] a key with an unknown id, a wrong secret or of another surface: the same 401', async () => {
    const [id] = client.account.key.split('.');
    const foreign = await scene.server.account({ surface: 'ingest' });
    const answers = await Promise.all(
      [`doqlo_bfexp_nobody.${'a'.repeat(43)}`, `${id}.${'a'.repeat(43)}`, foreign.key, 'doqlo_bfexp_'].map(
        (key) => codeWith(`Bearer ${key}`),
      ),
    );
    const [first] = answers;
    expect(first).toMatchObject({ status: 401, code: 'BF_EXPORT_API_KEY_INVALID' });
    for (const answer of answers) expect(answer).toEqual(first);
  });

  it('[BF3] a key that is revoked, expired or of an inactive account: 403', async () => {
    const operator = await signedIn(scene.server);
    const refused = async (change: (account: TestAccount) => Promise<unknown>) => {
      const other = await scene.another();
      await change(other.account);
      const { status, body } = await other.get(jobId);
      return [status, body.code];
    };
    expect(await refused(({ keyId }) => operator.delete(`/keys/${keyId}`))).toEqual([
      403,
      'BF_EXPORT_API_KEY_REVOKED',
    ]);
    expect(await refused(({ id }) => operator.patch(`/accounts/${id}`, { active: false }))).toEqual([
      403,
      'BF_EXPORT_API_KEY_INACTIVE',
    ]);
    const other = await scene.another();
    const short = { surface: 'bulkfill', account: other.account.name, days: 30 };
    const { key } = (await operator.post<{ key: string }>('/keys', short)).body;
    expect(await codeWith(`Bearer ${key}`)).toMatchObject({ status: 404 });
    scene.server.clock.advance(30 * 86_400_000);
    expect(await codeWith(`Bearer ${key}`)).toMatchObject({ status: 403, code: 'BF_EXPORT_API_KEY_EXPIRED' });
  });
});

describe('ids', () => {
  const routes = (id: string): [string, string][] => [
    ['GET', `${JOBS}/${id}`],
    ['DELETE', `${JOBS}/${id}`],
    ['GET', `${JOBS}/${id}/events`],
    ['GET', `${JOBS}/${id}/download`],
    ['GET', `${JOBS}/${id}/manifest`],
    ['GET', `${JOBS}/${id}/rows/1.pdf`],
    ['GET', `${JOBS}/${id}/rows/1.png`],
    ['POST', `${JOBS}/${id}/retry`],
  ];

  it('[BF57] an id that is not a UUID: 400 INVALID_JOB_ID', async () => {
    const bad = [
      'x',
      '1',
      `${jobId}0`,
      '%00',
      `${jobId}%00`,
      'a'.repeat(9_000),
      '%F0%9F%92%A9',
      '..%2f..',
      '%zz',
      '{}',
    ];
    for (const id of bad)
      for (const [method, path] of routes(id)) {
        const { status, body } = await client.request(path, {
          method,
          headers: { 'idempotency-key': 'k' },
        });
        expect([method, path.slice(0, 80), status, body.code]).toEqual([
          method,
          path.slice(0, 80),
          400,
          'INVALID_JOB_ID',
        ]);
      }
  });

  it('[BF57] an id in upper case: names the same job', async () => {
    expect((await client.get(jobId.toUpperCase())).body.job_id).toBe(jobId);
  });

  it('[BF58] an unknown id and the id of another account: the same 404, body for body', async () => {
    const stranger = await scene.another();
    for (const [[method, own], [, unknown]] of routes(jobId).map((route, i) => [
      route,
      routes(randomUUID())[i],
    ]) as [[string, string], [string, string]][]) {
      const init = { method, headers: { 'idempotency-key': 'k' } };
      const foreign = await stranger.request(own, init);
      const missing = await stranger.request(unknown, init);
      expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
      const code = /download|manifest|rows/.test(own) ? 'EXPORT_DELIVERY_NOT_FOUND' : 'EXPORT_JOB_NOT_FOUND';
      expect([own, foreign.body.code]).toEqual([own, code]);
    }
    expect((await client.get(jobId)).body.status).toBe('completed');
  });
});

describe('answers', () => {
  it('[BF4] a rejected request: a body of code and message only', async () => {
    const { body, headers } = await client.get(randomUUID());
    expect(body).toEqual({ code: 'EXPORT_JOB_NOT_FOUND', message: expect.stringMatching(/\.$/) });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('[BF5] carry X-Request-Id: the valid one sent, else a trace of our own', async () => {
    const ids = async (given: string | undefined, path = JOBS, method = 'POST') => {
      const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given };
      return (await client.request(path, { method, headers })).headers.get('x-request-id');
    };
    expect(await ids('support-create-001')).toBe('support-create-001');
    expect(await ids('a'.repeat(128))).toBe('a'.repeat(128));
    const trace = /^trace-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    for (const bad of [undefined, 'a'.repeat(129), 'with space', 'ümlaut', ''])
      expect(await ids(bad)).toMatch(trace);
    expect(
      (await client.create({}, { headers: { 'x-request-id': 'made-it' } })).headers.get('x-request-id'),
    ).toBe('made-it');
    const denied = await fetch(`${scene.server.url}${JOBS}`, { method: 'POST' });
    expect(denied.headers.get('x-request-id')).toMatch(trace);
  });

  it('[BF6] an unknown path or method: 404 or 405', async () => {
    const lost = await client.request('/v1/bulkfill/nowhere');
    expect([lost.status, lost.body.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
    const put = await client.request(`${JOBS}/${jobId}`, { method: 'PUT' });
    expect([put.status, put.body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(put.headers.get('allow')).toContain('GET');
  });
});
