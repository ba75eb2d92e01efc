import { afterAll, beforeAll, expect, it } from 'vitest';
import { surfaces } from '#main/surfaces.ts';
import { type BulkfillServer, startBulkfillServer } from '../support/bulkfill-server.ts';
import { ConsoleClient } from '../support/console-client.ts';
import { example } from '../support/example-surface/surface.ts';

/** A fourth surface needs only its folder and its line in this list. */
const withExample = [...surfaces, example];

let server: BulkfillServer;
let operator: ConsoleClient;
let key: string;
beforeAll(async () => {
  server = await startBulkfillServer({}, { surfaces: withExample });
  operator = new ConsoleClient(server);
  await operator.signIn(server.signInLink);
  await operator.post('/accounts', { name: 'demo', plan: 'unlimited' });
  const made = await operator.post<{ key: string }>('/keys', { surface: 'example', account: 'demo' });
  ({ key } = made.body);
});
afterAll(() => server.stop());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly sum_id: string; readonly failure: { readonly code: string } };
}

async function sum(numbers: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${server.url}/example/v1/sums`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ numbers }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  };
}

it('a key of its own kind: is accepted, and a key of another surface is not', async () => {
  expect(key).toMatch(/^exk_/);
  expect((await sum([1], { 'idempotency-key': 'first' })).status).toBe(202);
  const foreign = await server.account();
  const refused = await sum([1], { authorization: `Bearer ${foreign.key}` });
  expect([refused.status, refused.body.failure.code]).toEqual([401, 'NO_KEY']);
});

it('the same request twice: one job; another body with its key: a conflict in its own envelope', async () => {
  const first = await sum([1, 2, 3], { 'idempotency-key': 'same', 'x-example-id': 'mine' });
  expect([first.status, first.headers.get('x-example-id')]).toEqual([202, 'mine']);
  const again = await sum([1, 2, 3], { 'idempotency-key': 'same' });
  expect(again.body.sum_id).toBe(first.body.sum_id);
  const other = await sum([4], { 'idempotency-key': 'same', 'x-example-id': 'other' });
  expect([other.status, other.body]).toEqual([
    409,
    {
      failure: {
        code: 'KEY_REUSED',
        text: 'The Idempotency-Key belongs to a different request.',
      },
    },
  ]);
  await expect
    .poll(async () => (await operator.get('/request-keys?key=same&surface=example')).body.conflicts)
    .toMatchObject([{ surface: 'example', request_id: 'other' }]);
});

it('errors of the shell on its paths: its own codes', async () => {
  const unknown = await fetch(`${server.url}/example/v1/nothing`);
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { failure: { code: 'NOT_FOUND' } }]);
  expect((await sum('none', { 'idempotency-key': 'bad' })).body.failure.code).toBe('BAD_REQUEST');
});

it('its job: is done by the workers and shown by the operator API under its public id', async () => {
  const { body } = await sum([20, 22], { 'idempotency-key': 'shown' });
  const read = () => operator.get(`/jobs/${body.sum_id}`);
  await expect.poll(async () => (await read()).body.state).toBe('completed');
  expect((await read()).body).toMatchObject({
    public_id: body.sum_id,
    surface: 'example',
    kind: 'example.sum',
    account: 'demo',
    outcome: { sum: 42 },
  });
  const { body: list } = await operator.get<{ items: { public_id: string }[] }>('/jobs?surface=example');
  expect(list.items.map(({ public_id }) => public_id)).toContain(body.sum_id);
});

it('an operator who acts for the account: uses its routes, and the audit log names the act', async () => {
  const acted = await operator.request('POST', '/acting/example/sums', {
    headers: {
      'x-rowpress-account': 'demo',
      'idempotency-key': 'acted',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ numbers: [1] }),
  });
  expect(acted.status).toBe(202);
  const { body: log } = await operator.get<{ items: { action: string }[] }>('/audit');
  expect(log.items[0]?.action).toBe('sum.created');
});

it('the OpenAPI document and the list of errors: describe it', async () => {
  const document = JSON.parse(await (await fetch(`${server.url}/openapi.json`)).text());
  const { post } = document.paths['/example/v1/sums'];
  expect(post.responses['409']).toEqual({ $ref: '#/components/responses/ExampleConflict' });
  expect(document.components.responses.ExampleConflict.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/ExampleError',
  });
  expect(document.components.schemas.ExampleError.properties).toHaveProperty('failure');
  const page = await (await fetch(`${server.url}/docs/errors`)).text();
  expect(page).toContain('Example (<code>/example/v1/*</code>)</h2>');
});
