import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BulkfillClient, openScene, type Scene } from '../support/bulkfill-client.ts';
import { rowpressJson } from '../support/cli.ts';

/** `rows_from` with data that other surfaces store, end to end over HTTP. */
let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ scopes: ['read:subscribers', 'read:ingest'] });
});
afterAll(() => scene.server.stop());

/** Sends JSON with the key of the scene's account for another surface. */
async function send(surface: 'subscribers' | 'ingest', path: string, body: object): Promise<void> {
  const { server, client } = scene;
  const { name } = client.account;
  const order = ['keys', 'create', '--surface', surface, '--account', name];
  const { key } = await rowpressJson<{ key: string }>(order, server.env);
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-correlation-id': randomUUID(),
  };
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.ok, await answer.text()).toBe(true);
}

async function fileNames(rows_from: string): Promise<string[]> {
  const { client } = scene;
  const filename_columns = JSON.stringify(['column_0', 'column_1', 'column_3']);
  const { status, body } = await client.create({ rows_json: null, rows_from, filename_columns });
  expect(status, JSON.stringify(body)).toBe(200);
  return Object.keys((await client.archive(body.job_id)).files).filter((name) => name.endsWith('.pdf'));
}

test('[BF81] [SUB70] rows from subscribers: the columns of an export', async () => {
  await send('subscribers', '/v1/subscribers', { email: 'ann@example.com', name: 'Ann Lee', country: 'DE' });
  await send('subscribers', '/v1/subscribers', { email: 'bob@example.com', status: 'Unsubscribed' });
  expect(await fileNames('subscribers:status=Active')).toEqual(['row_1_ann@example.com_Ann Lee_DE.pdf']);
  expect(await fileNames('subscribers:')).toHaveLength(2);
});

test('[BF81] [ING37] rows from a collection: the members of its items in the order of the contract', async () => {
  await send('ingest', '/wms-ingest/v1/master/uoms', { items: [{ source_id: 'EA', name: 'Each' }] });
  const names = await fileNames(`ingest:${scene.client.account.name}/master/uoms`);
  expect(names).toEqual([expect.stringMatching(/^row_1_EA_uom-\w+_Each\.pdf$/)]);
});

/** A client of the scene's account whose key was created with these options. */
async function clientWith(...options: string[]): Promise<BulkfillClient> {
  const { server, client } = scene;
  const { name } = client.account;
  const order = ['keys', 'create', '--surface', 'bulkfill', '--account', name, ...options];
  const { key } = await rowpressJson<{ key: string }>(order, server.env);
  return new BulkfillClient(server, { ...client.account, key }, client.usual);
}

const from = (rows_from: string) => ({ rows_json: null, rows_from });

test('[KEY20] rows_from without a read scope: 403 that names the surface and the option, even for a replay', async () => {
  const plain = await clientWith();
  const granted = await scene.client.create(from('subscribers:'), { key: 'same' });
  expect(granted.status, granted.text).toBe(200);
  for (const [source, selection] of [
    ['subscribers', 'subscribers:'],
    ['ingest', `ingest:${scene.client.account.name}/master/uoms`],
  ] as const) {
    const { status, body } = await plain.create(from(selection), { key: 'same' });
    expect([status, body.code]).toEqual([403, 'ROWS_FROM_NOT_ALLOWED']);
    expect(body.message).toContain(`"${source}"`);
    expect(body.message).toContain(`--read ${source}`);
  }
  expect((await plain.create()).status).toBe(200);
  const { body } = await plain.create(from('nothing:a'));
  expect(body.code).toBe('INVALID_FIELD');
});

test('[KEY20] --read subscribers: allows subscribers and nothing else', async () => {
  const reader = await clientWith('--read', 'subscribers');
  expect((await reader.create(from('subscribers:'))).status).toBe(200);
  const { body } = await reader.create(from(`ingest:${scene.client.account.name}/master/uoms`));
  expect(body.code).toBe('ROWS_FROM_NOT_ALLOWED');
});
