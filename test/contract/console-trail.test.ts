import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Account, Plan } from '#console/contract/accounts.ts';
import type { OperatorAction } from '#console/contract/audit.ts';
import type { ApiKey, CreatedKey } from '#console/contract/keys.ts';
import type { Operator } from '#console/contract/operators.ts';
import type { Usage } from '#console/contract/usage.ts';
import { openScene, type Scene } from '../support/bulkfill-client.ts';
import { ConsoleClient, type Listed, signedIn } from '../support/console-client.ts';

let scene: Scene;
let operator: ConsoleClient;
beforeAll(async () => {
  scene = await openScene({
    env: { ROWPRESS_PLANS: '{"tiny":{"rows_per_month":2,"max_stored_bytes":10}}' },
  });
  operator = await signedIn(scene.server);
});
afterAll(() => scene.server.stop());

const newest = async () =>
  (await operator.get<Listed<OperatorAction>>('/audit?limit=1')).body.items[0]?.link ?? null;
const items = async <T>(path: string) => (await operator.get<Listed<T>>(path)).body.items;

it('[CON70] audit entries: link what was changed, and the lists show it alone', async () => {
  const { name } = scene.client.account;
  const { body: made } = await operator.post<CreatedKey>('/keys', { surface: 'bulkfill', account: name });
  expect(await newest()).toEqual({ kind: 'key', name: made.id, path: `/console/keys?key=${made.id}` });
  expect((await items<ApiKey>(`/keys?key=${made.id}`)).map(({ id }) => id)).toEqual([made.id]);

  await operator.patch(`/accounts/${name}`, { plan: 'free' });
  expect(await newest()).toEqual({ kind: 'account', name, path: `/console/accounts?account=${name}` });
  expect((await items<Account>(`/accounts?account=${name}`)).map((account) => account.name)).toEqual([name]);

  const sent = await operator.request('POST', '/acting/subscribers/jobs/subscriber-exports', {
    headers: {
      'content-type': 'application/json',
      'x-rowpress-account': name,
      'idempotency-key': randomUUID(),
    },
    body: '{}',
  });
  expect(sent.status).toBe(202);
  const { id } = (sent.body as unknown as { data: { id: string } }).data;
  expect(await newest()).toEqual({ kind: 'job', name: id, path: `/console/jobs/${id}` });
});

it('[CON71] an operator who has signed out: keeps the time of the last request, to the minute', async () => {
  const { body: invited } = await operator.post<{ link: string }>('/invitations', { name: 'Grace' });
  const grace = new ConsoleClient(scene.server);
  await grace.signIn(invited.link);
  const seen = async () =>
    (await items<Operator>('/operators')).find(({ name }) => name === 'Grace')?.last_seen_at ?? '';
  const first = await seen();
  scene.server.clock.advance(61_000);
  await grace.get('/jobs');
  const last = await seen();
  expect(Date.parse(last) - Date.parse(first)).toBeGreaterThanOrEqual(61_000);
  await grace.delete('/session');
  scene.server.clock.advance(3_600_000);
  expect(await seen()).toBe(last);
  const [{ id = '' } = {}] = (await items<Operator>('/operators')).filter(({ name }) => name === 'Grace');
  await operator.delete(`/operators/${id}`);
  expect(await newest()).toEqual({
    kind: 'operator',
    name: 'Grace',
    path: `/console/operators?operator=${id}`,
  });
});

it('[CON69] plans and usage: name every limit of a plan and what the account uses of it', async () => {
  const client = await scene.another();
  await client.create();
  const { body } = await operator.get<Usage>(`/usage?account=${client.account.name}`);
  expect(body.quota).toMatchObject({ used: 3, reserved: 0, stored_bytes: expect.any(Number) });
  expect(body.quota?.stored_bytes).toBeGreaterThan(0);
  expect(await items<Plan>('/plans')).toContainEqual({
    name: 'tiny',
    rows_per_month: 2,
    max_pdf_bytes: null,
    max_stored_bytes: 10,
    default: false,
  });
});

it('[CON73] replays and conflicts: counted by surface, wherever they are found', async () => {
  const count = async (name: string) => {
    const text = await (await fetch(`${scene.server.url}/metrics`)).text();
    const line = new RegExp(`^rowpress_request_${name}_total\\{surface="bulkfill"\\} (\\d+)$`, 'm').exec(
      text,
    );
    return Number(line?.[1] ?? 0);
  };
  const client = await scene.another();
  const key = randomUUID();
  const before = [await count('replays'), await count('conflicts')] as const;
  const { body: first } = await client.create({}, { key });
  expect((await client.create({}, { key })).body.job_id).toBe(first.job_id);
  expect((await client.create({ max_failed_row_percent: '7' }, { key })).status).toBe(409);
  expect([await count('replays'), await count('conflicts')]).toEqual([before[0] + 1, before[1] + 1]);
});
