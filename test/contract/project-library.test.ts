import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeletedProjects, ProjectView, VersionHistory } from '#bulkfill/operator-contract.ts';
import { type BulkfillClient, openScene, type Scene } from '../support/bulkfill-client.ts';
import { letterPdf } from '../support/bulkfill-server.ts';
import { type ConsoleClient, signedIn } from '../support/console-client.ts';
import { saveProject } from '../support/projects.ts';

const DAY_MS = 86_400_000;

let scene: Scene;
let client: BulkfillClient;
let operator: ConsoleClient;
beforeAll(async () => {
  scene = await openScene();
  client = scene.client;
  operator = await signedIn(scene.server);
});
afterAll(() => scene?.server.stop());

const create = async (name: string, as = client) => {
  const made = await saveProject(
    as,
    '/v1/bulkfill/projects',
    { name, pdf: letterPdf, doqlo_file: as.usual.doqlo_file },
    { method: 'POST', headers: { 'idempotency-key': randomUUID() } },
  );
  expect(made.status, made.text).toBe(201);
  return made.body;
};
/** Acts for the account of a client. */
const act = <T>(method: string, path: string, headers: Record<string, string> = {}, as = client) =>
  operator.request<T & { code: string }>(method, `/acting/bulkfill${path}`, {
    headers: { 'x-rowpress-account': as.account.name, ...headers },
  });
const readAs = (as: BulkfillClient, id: string) => as.request<ProjectView>(`/v1/bulkfill/projects/${id}`);

it('[BF190] a duplicate: has the files of the original, its own versions and the next free name', async () => {
  const original = await create('Certificate');
  const path = `/projects/${original.project_id}/duplicate`;
  const copies = [await act<ProjectView>('POST', path), await act<ProjectView>('POST', path)];
  expect(copies.map(({ status, body }) => [status, body.name, body.version])).toEqual([
    [201, 'Certificate (copy)', 1],
    [201, 'Certificate (copy 2)', 1],
  ]);
  const [first] = copies.map(({ body }) => body.project_id);
  for (const file of ['pdf', 'package']) {
    const [a, b] = await Promise.all(
      [original.project_id, first].map(async (id) =>
        Buffer.from(await (await client.fetch(`/v1/bulkfill/projects/${id}/${file}`)).arrayBuffer()),
      ),
    );
    expect(a?.equals(b ?? Buffer.alloc(0))).toBe(true);
  }
  await client.fetch(`/v1/bulkfill/projects/${original.project_id}`, { method: 'DELETE' });
  expect((await readAs(client, first ?? '')).status).toBe(200);
});

it('[BF191] a project in the bin: is gone, frees its name, and can be restored for a day', async () => {
  const project = await create('Badge');
  const path = `/projects/${project.project_id}`;
  const stale = await act('POST', `${path}/bin`, { 'if-match': '"7"' });
  expect([stale.status, stale.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
  const binned = await act<{ deleted_at: string; restorable_until: string }>('POST', `${path}/bin`);
  expect(binned.status).toBe(200);
  const window = Date.parse(binned.body.restorable_until) - Date.parse(binned.body.deleted_at);
  expect(window).toBe(DAY_MS);
  expect((await readAs(client, project.project_id)).status).toBe(404);
  expect((await act('POST', `${path}/bin`)).status).toBe(404);
  const { data } = (await act<DeletedProjects>('GET', '/deleted-projects')).body;
  expect(data.map(({ name }) => name)).toEqual(['Badge']);

  // Another project takes the name meanwhile.
  await create('Badge');
  scene.server.clock.advance(DAY_MS - 60_000);
  await scene.server.sweep();
  const restored = await act<ProjectView>('POST', `${path}/restore`);
  expect([restored.status, restored.body.name, restored.body.version]).toEqual([200, 'Badge (2)', 1]);
  expect((await readAs(client, project.project_id)).body.name).toBe('Badge (2)');
  expect((await act<DeletedProjects>('GET', '/deleted-projects')).body.data).toEqual([]);
  expect((await act('POST', `${path}/restore`)).status).toBe(404);
});

it('[BF191] projects of one name, restored at the same instant: each has a name of its own', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const { project_id: id } = await create('Twin');
    await act('POST', `/projects/${id}/bin`);
    ids.push(id);
  }
  const restored = await Promise.all(ids.map((id) => act<ProjectView>('POST', `/projects/${id}/restore`)));
  expect(restored.map(({ status }) => status)).toEqual(ids.map(() => 200));
  expect(new Set(restored.map(({ body }) => body.name)).size).toBe(ids.length);
});

it('[BF191] a project named like the mark of a deleted one: does not keep that one from the bin', async () => {
  const { project_id: id } = await create('Marked');
  await create(`deleted:${id}`);
  expect((await act('POST', `/projects/${id}/bin`)).status).toBe(200);
});

it('[BF191] a project in the bin for more than a day: is deleted for good', async () => {
  const project = await create('Old badge');
  const path = `/projects/${project.project_id}`;
  expect((await act('POST', `${path}/bin`)).status).toBe(200);
  scene.server.clock.advance(DAY_MS + 1);
  expect((await act('POST', `${path}/restore`)).status).toBe(404);
  await scene.server.sweep();
  scene.server.clock.advance(-DAY_MS);
  expect((await act('POST', `${path}/restore`)).status).toBe(404);
});

it('[BF191] a project of another account: can be neither binned, duplicated nor restored', async () => {
  const other = await scene.another();
  const project = await create('Theirs', other);
  for (const step of ['bin', 'duplicate', 'versions/1/restore', 'restore']) {
    const refused = await act('POST', `/projects/${project.project_id}/${step}`);
    expect([step, refused.status, refused.body.code]).toEqual([step, 404, 'PROJECT_NOT_FOUND']);
  }
  expect((await act('POST', `/projects/${project.project_id}/bin`, {}, other)).status).toBe(200);
  expect((await act('POST', `/projects/${project.project_id}/restore`)).status).toBe(404);
});

it('[BF192] the history: names the operator who saved a version, and an earlier one can be saved again', async () => {
  const project = await create('History');
  const path = `/projects/${project.project_id}`;
  const form = new FormData();
  form.set('pdf', new Blob([Buffer.concat([letterPdf, Buffer.from('\n%2\n')])]));
  const saved = await operator.request('PUT', `/acting/bulkfill${path}`, {
    body: form,
    headers: { 'x-rowpress-account': client.account.name },
  });
  expect(saved.status).toBe(200);
  const stale = await act('POST', `${path}/versions/1/restore`, { 'if-match': '"1"' });
  expect(stale.status).toBe(412);
  const restored = await act<ProjectView>('POST', `${path}/versions/1/restore`, { 'if-match': '"2"' });
  expect([restored.status, restored.body.version]).toEqual([200, 3]);
  const { data } = (await act<VersionHistory>('GET', `${path}/history`)).body;
  const { name } = (await operator.get<{ operator: { name: string } }>('/session')).body.operator;
  expect(data.map(({ version, saved_by }) => [version, saved_by])).toEqual([
    [3, name],
    [2, name],
    [1, null],
  ]);
  const pdf = await (await client.fetch(`/v1/bulkfill/projects/${project.project_id}/pdf`)).arrayBuffer();
  expect(Buffer.from(pdf).equals(Buffer.from(letterPdf))).toBe(true);
  expect((await act('POST', `${path}/versions/9/restore`)).status).toBe(404);
});

it('[BF190] [BF191] the routes of the library: are not part of the public API', async () => {
  const project = await create('Public');
  const answer = await client.request<{ code: string }>(
    `/v1/bulkfill/projects/${project.project_id}/duplicate`,
    { method: 'POST' },
  );
  expect([answer.status, answer.body.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
});

it('[CON9] a request of the library without the CSRF token: is refused', async () => {
  const project = await create('Guarded');
  const refused = await act<{ error: { code: string } }>('POST', `/projects/${project.project_id}/bin`, {
    'x-csrf-token': 'wrong',
  });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'CSRF_TOKEN_INVALID']);
});
