import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DraftAnswer, ProjectPresence } from '#bulkfill/operator-contract.ts';
import { startBulkfillServer } from '../support/bulkfill-server.ts';
import { ConsoleClient, type Listed, signedIn } from '../support/console-client.ts';
import { box, layoutOf } from '../support/fill-cli.ts';
import { createProject } from '../support/library-projects.ts';

let server: Awaited<ReturnType<typeof startBulkfillServer>>;
let ada: ConsoleClient;
let grace: ConsoleClient;
beforeAll(async () => {
  server = await startBulkfillServer();
  ada = await signedIn(server);
  await ada.post('/accounts', { name: 'main' });
  const { link } = (await ada.post<{ link: string }>('/invitations', { name: 'Grace' })).body;
  grace = new ConsoleClient(server);
  expect((await grace.signIn(link)).status).toBe(200);
});
afterAll(() => server?.stop());

const create = (name: string) => createProject({ operator: ada }, name);
const act = <T>(as: ConsoleClient, method: string, path: string, body?: object) =>
  as.request<T & { code: string; message: string }>(method, `/acting/bulkfill/projects/${path}`, {
    headers: {
      'x-rowpress-account': 'main',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const draft = (revision: number, name: string, more: object = {}) => ({
  revision,
  base_version: 1,
  content: { name },
  ...more,
});

it('[BF193] a draft: belongs to one operator and project, and other revisions are not overwritten', async () => {
  const id = await create('Drafted');
  expect((await act<DraftAnswer>(ada, 'GET', `${id}/draft`)).body.draft).toBeNull();
  const first = await act<{ revision: number }>(
    ada,
    'PUT',
    `${id}/draft`,
    draft(0, 'a', { assets: { 'assets/x': 'AAAA' } }),
  );
  expect(first.status).toBe(200);
  const one = first.body.revision;
  expect(one).toBeGreaterThan(0);
  for (const revision of [0, one + 1]) {
    const stale = await act(ada, 'PUT', `${id}/draft`, draft(revision, 'b'));
    expect([stale.status, stale.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
    expect(stale.body.message).toContain(`the revision ${one}; received ${revision}`);
  }
  const second = await act<{ revision: number }>(ada, 'PUT', `${id}/draft`, draft(one, 'c'));
  expect(second.body.revision).toBe(one + 1);
  const { body } = await act<DraftAnswer>(ada, 'GET', `${id}/draft`);
  expect(body.draft).toMatchObject({
    revision: one + 1,
    content: { name: 'c' },
    assets: { 'assets/x': 'AAAA' },
  });
  expect((await act<DraftAnswer>(grace, 'GET', `${id}/draft`)).body.draft).toBeNull();
  expect((await act(grace, 'PUT', `${id}/draft`, draft(one, 'd'))).status).toBe(412);
  expect((await act(ada, 'DELETE', `${id}/draft`)).status).toBe(204);
  expect((await act<DraftAnswer>(ada, 'GET', `${id}/draft`)).body.draft).toBeNull();
});

it('[BF193] a revision that another browser has replaced: deletes and overwrites nothing', async () => {
  const id = await create('Replaced');
  const put = (revision: number, name: string) =>
    act<{ revision: number }>(ada, 'PUT', `${id}/draft`, draft(revision, name));
  const remove = (revision: number | string) => act(ada, 'DELETE', `${id}/draft?revision=${revision}`);
  const stored = async () => (await act<DraftAnswer>(ada, 'GET', `${id}/draft`)).body.draft?.content;
  const first = (await put(0, 'a')).body.revision;
  const second = (await put(first, 'b')).body.revision;
  expect((await remove(first)).status).toBe(204);
  expect(await stored()).toEqual({ name: 'b' });
  expect((await remove('x')).status).toBe(400);
  expect((await remove(second)).status).toBe(204);
  expect(await stored()).toBeUndefined();
  // A draft that is stored after a deletion is another one.
  server.clock.advance(60_000);
  await put(0, 'c');
  for (const revision of [first, second]) {
    expect((await put(revision, 'd')).status).toBe(412);
    await remove(revision);
  }
  expect(await stored()).toEqual({ name: 'c' });
});

it('[BF193] two first drafts at the same instant: one is stored', async () => {
  const id = await create('Raced');
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => act(ada, 'PUT', `${id}/draft`, draft(0, name))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
});

it('[BF193] drafts and reports of tabs: are not in the audit log', async () => {
  const id = await create('Quiet');
  await act(ada, 'PUT', `${id}/draft`, draft(0, 'a'));
  await act(ada, 'POST', `${id}/presence`, { tab: 't1', device: 'Chrome' });
  await act(ada, 'DELETE', `${id}/draft`);
  const { items } = (await ada.get<Listed<{ action: string; target: string | null }>>('/audit?limit=20'))
    .body;
  expect(items.filter(({ target }) => target?.includes(id)).map(({ action }) => action)).toEqual([]);
});

it('[BF130] a project with hundreds of columns, saved by an operator: 201, although its response is long', async () => {
  const columns = Array.from({ length: 300 }, (_, n) => ({
    key: `column_${n}`,
    label: `Größe für Übergänge ${n}`,
  }));
  const overlay = { ...box, id: 'name', type: 'text', value: { column: 'column_0' } };
  await createProject({ operator: ada }, 'Long', 'main', layoutOf([overlay], { columns }));
});

it('[BF194] a control character in the name of a device: is refused', async () => {
  const id = await create('Device');
  const told = await act(ada, 'POST', `${id}/presence`, { tab: 'one', device: 'a\u0000b' });
  expect([told.status, told.body.code]).toEqual([400, 'INVALID_FIELD']);
});

it('[BF194] the tabs of a project: see each other until they end or stop reporting', async () => {
  const id = await create('Shared');
  const report = async (as: ConsoleClient, tab: string) =>
    (await act<ProjectPresence>(as, 'POST', `${id}/presence`, { tab, device: 'Firefox on Linux' })).body;
  expect(await report(ada, 'one')).toEqual({ version: 1, draft_revision: 0, others: [] });
  const seen = (await report(grace, 'two')).others;
  expect(seen.map(({ is_you, device }) => [is_you, device])).toEqual([[false, 'Firefox on Linux']]);
  await report(ada, 'three');
  const others = (await report(ada, 'one')).others.map(({ operator, is_you }) => [operator, is_you]);
  expect(others).toEqual([
    ['Grace', false],
    [expect.any(String), true],
  ]);
  expect((await act(grace, 'DELETE', `${id}/presence/two`)).status).toBe(204);
  // A tab is ended by its own operator only.
  await act(grace, 'DELETE', `${id}/presence/three`);
  expect((await report(ada, 'one')).others).toHaveLength(1);
  server.clock.advance(45_001);
  expect((await report(ada, 'one')).others).toEqual([]);
});

it('[BF194] [EDT208] people who may not design in the account: learn nothing, and are not shown', async () => {
  const id = await create('Private');
  await ada.post('/accounts', { name: 'elsewhere' });
  await act(ada, 'POST', `${id}/presence`, { tab: 'one', device: 'Chrome' });
  for (const [role, account, status] of [
    ['designer', 'elsewhere', 404],
    ['runner', 'main', 403],
    ['auditor', undefined, 403],
  ] as const) {
    const invitation = { name: role, role, ...(account !== undefined && { account }) };
    const { link } = (await ada.post<{ link: string }>('/invitations', invitation)).body;
    const person = new ConsoleClient(server);
    expect((await person.signIn(link)).status).toBe(200);
    const told = await act<ProjectPresence>(person, 'POST', `${id}/presence`, {
      tab: role,
      device: 'Chrome',
    });
    expect([role, told.status, told.body.others]).toEqual([role, status, undefined]);
  }
  const seen = await act<ProjectPresence>(ada, 'POST', `${id}/presence`, { tab: 'one', device: 'Chrome' });
  expect(seen.body.others).toEqual([]);
});
