import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillClient, openScene, type Scene } from '../support/bulkfill-client.ts';

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

  it('[BF1] are required in Bearer form on every route', async () => {
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

  it('[BF2] of an unknown id, with a wrong secret or of another surface get one answer', async () => {
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

  it('[BF3] are refused with 403 once revoked, expired or of an inactive account', async () => {
    const { pool } = scene.server;
    const refused = async (change: string, column: 'id' | 'account_id') => {
      const other = await scene.another();
      const { keyId, id } = other.account;
      await pool.query(change, [column === 'id' ? keyId : id]);
      const { status, body } = await other.get(jobId);
      return [status, body.code];
    };
    expect(await refused('update api_keys set revoked_at = now() where id = $1', 'id')).toEqual([
      403,
      'BF_EXPORT_API_KEY_REVOKED',
    ]);
    expect(
      await refused("update api_keys set expires_at = now() - interval '1 s' where id = $1", 'id'),
    ).toEqual([403, 'BF_EXPORT_API_KEY_EXPIRED']);
    expect(await refused('update accounts set active = false where id = $1', 'account_id')).toEqual([
      403,
      'BF_EXPORT_API_KEY_INACTIVE',
    ]);
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

  it('[BF57] that are no UUID are 400 INVALID_JOB_ID, whatever they hold', async () => {
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

  it('[BF57] in upper case are the same job', async () => {
    expect((await client.get(jobId.toUpperCase())).body.job_id).toBe(jobId);
  });

  it('[BF58] unknown and foreign give the same 404, body for body', async () => {
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
  it('[BF4] of refused requests are code and message, nothing else', async () => {
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

  it('[BF6] of unknown paths and methods are 404 and 405', async () => {
    const lost = await client.request('/v1/bulkfill/nowhere');
    expect([lost.status, lost.body.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
    const put = await client.request(`${JOBS}/${jobId}`, { method: 'PUT' });
    expect([put.status, put.body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(put.headers.get('allow')).toContain('GET');
  });
});
