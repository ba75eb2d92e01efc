import { expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { rowpressJson } from '../support/cli.ts';
import { exportedTables } from '../support/exported-tables.ts';
import { ApiClient } from '../support/subscribers-node.ts';
import { exportAll, openScene, sharedScene } from '../support/subscribers-scene.ts';

const scene = sharedScene();
const UPLOADS = '/v1/jobs/subscriber-import-uploads';
const CSV = 'Email,Name\nada@example.com,Ada\n';
const put = (url: string) =>
  fetch(url, { method: 'PUT', body: CSV, headers: { 'content-type': 'text/csv' } });

/** A client, the id of its key, and the account's name. */
async function clientOf(account: string) {
  const { node } = scene();
  const key = await node.newKey(account);
  const keyId = /^mrk_(\w+)\./.exec(key)?.[1] ?? '';
  const revoke = () => rowpressJson(['keys', 'revoke', keyId], node.env);
  return { api: new ApiClient(node.url, key), revoke };
}

const setActive = (account: string, active: boolean) =>
  rowpressJson(['accounts', 'set', account, '--active', String(active)], scene().node.env);

test('[SUB75] a revoked key: the download links it read are dead, those of another key work', async () => {
  const [one, other] = [await clientOf('links'), await clientOf('links')];
  const { job } = await exportAll(one.api, {});
  const links = [job.download_url, (await other.api.get(job.self)).body.data.download_url];
  expect(new Set(links).size).toBe(2);
  expect((await one.api.get(job.self)).body.data.download_url).toBe(links[0]);
  for (const link of links) expect((await fetch(link)).status).toBe(200);
  await one.revoke();
  const dead = await fetch(links[0]);
  expect([dead.status, await dead.json()]).toEqual([
    404,
    { error: { type: 'not_found', code: 'resource_not_found', message: expect.any(String) } },
  ]);
  expect((await fetch(links[1])).status).toBe(200);
});

test('[SUB75] a deactivated account: its download links are dead until it is active again', async () => {
  const { api } = await clientOf('asleep');
  const { job } = await exportAll(api, {});
  await setActive('asleep', false);
  expect((await fetch(job.download_url)).status).toBe(404);
  await setActive('asleep', true);
  expect((await fetch(job.download_url)).status).toBe(200);
});

test('[SUB75] the token of another job, another key or a changed one: 404', async () => {
  const { api } = await clientOf('forged');
  const [first, second] = [(await exportAll(api, {})).job, (await exportAll(api, {})).job];
  const [url, token] = [first.download_url as string, (first.download_url as string).split('/').at(-2) ?? ''];
  const [, hash] = token.split('.');
  for (const forged of [
    url.replace(first.id, second.id),
    url.replace(token, `k.${hash}`),
    url.replace(token, hash ?? ''),
    url.replace(token, `.${hash}`),
  ])
    expect((await fetch(forged)).status, forged).toBe(404);
});

test('[SUB77] the token of a download link: is not stored with the job', async () => {
  const { api } = await clientOf('stored');
  const { job } = await exportAll(api, {});
  const token = (job.download_url as string).split('/').at(-2) ?? '';
  const jobs = (await exportedTables(scene().node.env)).get('jobs')?.split('\n');
  const record = jobs?.find((line) => line.includes(job.id));
  expect(record).toContain(job.file_name);
  for (const part of token.split('.')) expect(record).not.toContain(part);
  expect(record).not.toContain('token');
});

test('[SUB76] a revoked key: its upload links are dead', async () => {
  const { api, revoke } = await clientOf('uploads');
  const upload = (await api.post(UPLOADS)).body.data;
  expect((await put(upload.upload_url)).status).toBe(200);
  await revoke();
  const dead = await put(upload.upload_url);
  expect([dead.status, ((await dead.json()) as { error: { code: string } }).error.code]).toEqual([
    404,
    'resource_not_found',
  ]);
  const page = await fetch(upload.upload_url);
  expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('link is no longer valid')]);
});

test('[SUB76] a deactivated account: its upload links are dead', async () => {
  const { api } = await clientOf('dozing');
  const upload = (await api.post(UPLOADS)).body.data;
  await setActive('dozing', false);
  expect((await put(upload.upload_url)).status).toBe(404);
});

test('[SUB75] [SUB76] an expired key: its links are dead', async () => {
  const clock = new ManualClock(new Date());
  const { node } = await openScene({ clock });
  const api = new ApiClient(node.url, await node.newKey('short-lived', undefined, 30));
  clock.advance(30 * 86_400_000 - 60_000);
  const upload = (await api.post(UPLOADS)).body.data;
  const { job } = await exportAll(api, {});
  expect((await fetch(job.download_url)).status).toBe(200);
  clock.advance(61_000);
  expect((await fetch(job.download_url)).status).toBe(404);
  expect((await put(upload.upload_url)).status).toBe(404);
});
