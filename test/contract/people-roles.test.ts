import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRoleTable } from '../../scripts/role-table.ts';
import { goodRows, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { ConsoleClient, type Listed, type Session, signedIn } from '../support/console-client.ts';
import { saveProject } from '../support/projects.ts';

const ROLES = ['operator', 'designer', 'runner', 'auditor'] as const;
type Role = (typeof ROLES)[number];

let scene: Scene;
let operator: ConsoleClient;
let account: string;
let people: Record<Role, ConsoleClient>;

/** Invites a person and signs in. */
async function join(name: string, role: Role, of = account): Promise<ConsoleClient> {
  const limited = role === 'designer' || role === 'runner';
  const invited = await operator.post<{ link: string }>('/invitations', {
    name,
    role,
    ...(limited && { account: of }),
  });
  expect(invited.status).toBe(201);
  // One address may attempt twenty sign-ins a minute.
  scene.server.clock.advance(61_000);
  const client = new ConsoleClient(scene.server);
  expect((await client.signIn(invited.body.link)).status).toBe(200);
  return client;
}

beforeAll(async () => {
  scene = await openScene({
    env: { ROWPRESS_WEBHOOK_ALLOW: 'hooks.test' },
    surroundings: { resolve: async (host) => (host === 'hooks.test' ? ['127.0.0.1'] : []) },
  });
  operator = await signedIn(scene.server);
  account = scene.client.account.name;
  const joined = await Promise.all(ROLES.map(async (role) => [role, await join(`A ${role}`, role)] as const));
  people = Object.fromEntries(joined) as Record<Role, ConsoleClient>;
});
afterAll(() => scene.server.stop());

const idOf = async (client: ConsoleClient) => (await client.get<Session>('/session')).body.operator.id;
const acting = (name: string) => ({ 'x-rowpress-account': encodeURIComponent(name) });

describe('the matrix of docs/roles.md', () => {
  const lines = readRoleTable(readFileSync('docs/roles.md', 'utf8'));

  it('[PPL2] the table: covers the operator API and every surface', () => {
    expect(lines.length).toBeGreaterThan(120);
    for (const start of ['/jobs', '/acting/bulkfill/', '/acting/subscribers/', '/acting/ingest/'])
      expect(
        lines.some(({ route }) => route.startsWith(start)),
        start,
      ).toBe(true);
    expect(lines.filter(({ roles }) => !roles.includes('operator'))).toEqual([]);
  });

  /**
   * The code with which the request is rejected. Writes omit the CSRF token, which is checked after the role, so that no request
   * of the matrix changes anything.
   */
  async function codeOf(client: ConsoleClient, method: string, route: string) {
    const path = route.replace(/:[a-z_]+/g, 'x');
    const response = await fetch(`${scene.server.url}/operator/v1${path}`, {
      method,
      headers: { cookie: client.cookie ?? '', ...acting(account) },
    });
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    if (response.status < 400 || !isJson) await response.body?.cancel();
    const body = response.status >= 400 && isJson ? await response.json() : {};
    return (body as { error?: { code?: string; message?: string; details?: unknown } }).error ?? {};
  }

  it.each(ROLES)('[PPL2][PPL3] every route for the role %s: as the table says', async (role) => {
    const wrong: string[] = [];
    for (const { method, route, need, roles } of lines) {
      const error = await codeOf(people[role], method, route);
      const told = `${method} ${route} for ${role}: ${error.code}`;
      if (roles.includes(role) !== (error.code !== 'ROLE_REQUIRED')) wrong.push(told);
      if (error.code === 'ROLE_REQUIRED') {
        expect(error.message).toBe(`This needs the role ${roles.join(' or ')}; your role is ${role}.`);
        expect(error.details).toEqual({ required_roles: roles, role });
      } else if (method !== 'GET' && need !== 'public' && error.code !== 'CSRF_TOKEN_INVALID')
        wrong.push(told);
    }
    expect(wrong).toEqual([]);
  });
});

describe('accounts of designers and runners', () => {
  it('[PPL4][PPL10] another account: not listed, and unknown by its name', async () => {
    const other = await scene.another();
    const { job_id } = (await other.create()).body;
    const own = (await scene.client.create()).body.job_id;
    for (const client of [people.designer, people.runner]) {
      const session = (await client.get<Session & { account: { name: string }; may: string[] }>('/session'))
        .body;
      expect(session.accounts.map(({ name }) => name)).toEqual([account]);
      expect(session.account.name).toBe(account);
      expect(session.may).toContain('run');
      expect(session.may).not.toContain('manage');
      expect((await client.get(`/jobs/${job_id}`)).status).toBe(404);
      expect((await client.get(`/jobs/${own}`)).status).toBe(200);
      expect((await client.post(`/jobs/${job_id}/cancel`)).status).toBe(404);
      const named = await client.get('/jobs', {});
      expect((named.body as unknown as Listed<{ account: string }>).items.map((job) => job.account)).toEqual([
        account,
      ]);
      expect((await client.get(`/jobs?account=${other.account.name}`)).body.error.code).toBe(
        'ACCOUNT_UNKNOWN',
      );
      const found = await client.get<{ hits: { id: string }[] }>(`/search?q=${job_id}`);
      expect(found.body.hits).toEqual([]);
      const acted = await client.get('/acting/bulkfill/export-jobs', acting(other.account.name));
      expect([acted.status, acted.body.error.code]).toEqual([404, 'ACCOUNT_UNKNOWN']);
      expect((await client.get('/acting/bulkfill/export-jobs', acting(account))).status).toBe(200);
    }
    expect((await people.designer.get<{ account: string }>('/usage')).body.account).toBe(account);
    expect((await people.auditor.get(`/jobs/${job_id}`)).status).toBe(200);
  });

  it('[PPL4] the job stream of a designer: only jobs of the own account', async () => {
    const other = await scene.another();
    const stream = await people.designer.fetch('/jobs/stream', { signal: AbortSignal.timeout(60_000) });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let read = (await reader?.read())?.value ?? '';
    const rows_json = rowsJson(goodRows(4));
    const foreign = (await other.create({ rows_json })).body.job_id;
    // A job with a stored result would not be streamed: it never runs.
    const own = (await scene.client.create({ rows_json })).body.job_id;
    while (!read.includes(own)) read += (await reader?.read())?.value ?? '';
    await reader?.cancel();
    expect(read).not.toContain(foreign);
  });
});

describe('runners', () => {
  const create = (client: ConsoleClient, fields: Record<string, string | Uint8Array | null | undefined>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'string') body.append(name, value);
      else if (value) body.append(name, new Blob([value as Uint8Array<ArrayBuffer>]), `${name}.bin`);
    }
    const headers = { ...acting(account), 'idempotency-key': randomUUID() };
    return client.request<{ job_id: string }>('POST', '/acting/bulkfill/export-jobs', { body, headers });
  };
  const count = async () =>
    (await operator.get<Listed<unknown>>(`/jobs?account=${account}&limit=100`)).body.items.length;

  it('[PPL5] own files: 403 and no job; a stored project: runs, and its result can be downloaded', async () => {
    const { pdf, doqlo_file, ...rest } = scene.client.usual;
    const before = await count();
    const refused = await create(people.runner, scene.client.usual);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'ROLE_REQUIRED']);
    expect(await count()).toBe(before);
    const saved = await saveProject(
      scene.client,
      '/v1/bulkfill/projects',
      { name: 'Letters', pdf, doqlo_file },
      { method: 'POST', headers: { 'idempotency-key': randomUUID() } },
    );
    expect(saved.status).toBe(201);
    const started = await create(people.runner, { ...rest, project: 'Letters' });
    expect(started.status).toBeLessThan(300);
    const path = `/acting/bulkfill/export-jobs/${started.body.job_id}/download`;
    const file = await people.runner.fetch(path, { headers: acting(account) });
    expect(file.status).toBe(200);
    await file.body?.cancel();
    expect((await create(people.designer, scene.client.usual)).status).toBeLessThan(300);
  });

  it('[PPL5] rows_from of a runner: 403', async () => {
    const { pdf: _, doqlo_file: __, rows_json: ___, ...rest } = scene.client.usual;
    const answer = await create(people.runner, {
      ...rest,
      project: 'Letters',
      rows_from: 'ingest:master/uoms',
    });
    expect(answer.status).toBe(403);
  });

  const exportSubscribers = async () => {
    const headers = {
      ...acting(account),
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const path = '/acting/subscribers/jobs/subscriber-exports';
    const made = await people.designer.request<{ data: { id: string } }>('POST', path, {
      headers,
      body: '{}',
    });
    expect(made.status).toBe(202);
    const { id } = made.body.data;
    const readState = async () => (await people.designer.get<{ state: string }>(`/jobs/${id}`)).body.state;
    await expect.poll(readState).toBe('completed');
    return id;
  };

  it('[PPL16] jobs of another surface: a runner cannot read, list, find or cancel them', async () => {
    const id = await exportSubscribers();
    const own = (await scene.client.create()).body.job_id;
    const { runner, designer } = people;
    for (const [answer, roles] of [
      [await runner.get(`/jobs/${id}`), ['operator', 'designer', 'auditor']],
      [await runner.get(`/jobs/${id}/problem-rows`), ['operator', 'designer', 'auditor']],
      [await runner.post(`/jobs/${id}/cancel`), ['operator', 'designer']],
    ] as const)
      expect([answer.status, answer.body.error]).toEqual([
        403,
        expect.objectContaining({
          code: 'ROLE_REQUIRED',
          details: { required_roles: roles, role: 'runner' },
        }),
      ]);
    const listed = async (client: ConsoleClient, query = '') =>
      (await client.get<Listed<{ id: string }>>(`/jobs?limit=100${query}`)).body.items.map((job) => job.id);
    expect(await listed(designer)).toEqual(expect.arrayContaining([id, own]));
    expect(await listed(runner)).toContain(own);
    expect(await listed(runner)).not.toContain(id);
    expect(await listed(runner, '&surface=subscribers')).toEqual([]);
    expect(await listed(runner, `&q=${id}`)).toEqual([]);
    const found = async (client: ConsoleClient) =>
      (await client.get<{ hits: { id: string }[] }>(`/search?q=${id}`)).body.hits.map((hit) => hit.id);
    expect(await found(designer)).toEqual([id]);
    expect(await found(runner)).toEqual([]);
    expect((await designer.post(`/jobs/${id}/cancel`)).body.error.code).toBe('JOB_SETTLED');
  });

  it('[PPL16] the job stream of a runner: only Bulk Fill jobs', async () => {
    const stream = await people.runner.fetch('/jobs/stream', { signal: AbortSignal.timeout(60_000) });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let read = (await reader?.read())?.value ?? '';
    const foreign = await exportSubscribers();
    const own = (await scene.client.create({ rows_json: rowsJson(goodRows(5)) })).body.job_id;
    while (!read.includes(own)) read += (await reader?.read())?.value ?? '';
    await reader?.cancel();
    expect(read).not.toContain(foreign);
  });

  it('[PPL16] the webhooks of a job: shown to a designer, not to a runner', async () => {
    const created = await scene.client.create({
      delivery_mode: 'webhook',
      webhook_url: 'https://hooks.test:1/secret',
      webhook_secret: 'a shared secret',
    });
    const targets = async (client: ConsoleClient) =>
      (
        await client.get<{ deliveries: { target: string }[] }>(`/jobs/${created.body.job_id}`)
      ).body.deliveries.map(({ target }) => target);
    await expect.poll(() => targets(people.designer)).toEqual(['https://hooks.test:1/secret']);
    expect(await targets(people.runner)).toEqual([]);
  });
});

describe('changing roles', () => {
  const give = (id: string, body: object) => operator.patch(`/operators/${id}`, body);

  it('[PPL1][PPL6] an account that is missing, superfluous or unknown: rejected', async () => {
    const id = await idOf(people.auditor);
    for (const body of [{ role: 'runner' }, { role: 'auditor', account }, { role: 'chief' }])
      expect((await give(id, body)).body.error.code).toBe('INVALID_FIELD');
    expect((await give(id, { role: 'runner', account: 'nobody' })).body.error.code).toBe('ACCOUNT_UNKNOWN');
    expect((await give(randomUUID(), { role: 'auditor' })).status).toBe(404);
    expect((await operator.post('/invitations', { name: 'X', role: 'designer' })).status).toBe(400);
  });

  it('[PPL6][PPL7] another role: applies to the next request, ends open streams, and is audited', async () => {
    const client = await join('Changing', 'operator');
    const { link } = (await client.post<{ link: string }>('/invitations', { name: 'Accomplice' })).body;
    const stream = await client.fetch('/jobs/stream', { signal: AbortSignal.timeout(60_000) });
    const reader = stream.body?.getReader();
    await reader?.read();
    const id = await idOf(client);
    expect((await give(id, { role: 'runner', account })).status).toBe(204);
    const untilEnd = async (): Promise<string> => ((await reader?.read())?.done ? 'ended' : untilEnd());
    expect(await untilEnd().catch((error: Error) => (error.name === 'TimeoutError' ? 'open' : 'ended'))).toBe(
      'ended',
    );
    expect((await client.get('/keys')).body.error.code).toBe('ROLE_REQUIRED');
    expect((await client.get<{ role: string }>('/session')).body.role).toBe('runner');
    scene.server.clock.advance(61_000);
    expect((await new ConsoleClient(scene.server).signIn(link)).status).toBe(401);
    const { items } = (
      await operator.get<Listed<{ action: string; target: string; details: object }>>('/audit')
    ).body;
    expect(items.find(({ action }) => action === 'operator.role-changed')).toMatchObject({
      target: id,
      details: { role: 'runner' },
    });
  });

  it('[PPL15] links to files of a designer: end with another role or account, and work again after it', async () => {
    const client = await join('Linking', 'designer');
    const id = await idOf(client);
    const send = (path: string) =>
      client.request<{ data: { id: string; upload_url: string } }>(
        'POST',
        `/acting/subscribers/jobs/${path}`,
        {
          headers: {
            ...acting(account),
            'content-type': 'application/json',
            'idempotency-key': randomUUID(),
          },
          body: '{}',
        },
      );
    const exported = (await send('subscriber-exports')).body.data.id;
    const readLink = async () =>
      (
        await client.get<{ data: { download_url: string | null } }>(
          `/acting/subscribers/jobs/subscriber-exports/${exported}`,
          acting(account),
        )
      ).body.data.download_url;
    await expect.poll(readLink).toEqual(expect.any(String));
    const download = (await readLink()) ?? '';
    const upload = (await send('subscriber-import-uploads')).body.data.upload_url;
    const statuses = async () => {
      const headers = { 'content-type': 'text/csv' };
      const answers = [
        await fetch(download),
        await fetch(upload, { method: 'PUT', body: 'Email\nada@example.com\n', headers }),
      ];
      for (const answer of answers) await answer.body?.cancel();
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200]);
    const other = (await scene.another()).account.name;
    for (const [body, expected] of [
      [{ role: 'designer', account: other }, [404, 404]],
      [{ role: 'runner', account }, [404, 404]],
      [{ role: 'auditor' }, [200, 404]],
      [{ role: 'designer', account }, [200, 200]],
    ] as const) {
      expect((await give(id, body)).status).toBe(204);
      expect(await statuses(), JSON.stringify(body)).toEqual(expected);
    }
  });

  it('[PPL8] the last operator: keeps the role and is not removed, even if two demote each other at once', async () => {
    const second = people.operator;
    const [a, b] = [await idOf(operator), await idOf(second)];
    const answers = await Promise.all([
      operator.patch(`/operators/${b}`, { role: 'auditor' }),
      second.patch(`/operators/${a}`, { role: 'auditor' }),
    ]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    const [remaining, demoted] = answers[0]?.status === 204 ? [operator, b] : [second, a];
    const id = remaining === operator ? a : b;
    for (const { status, body } of [
      await remaining.patch(`/operators/${id}`, { role: 'auditor' }),
      await remaining.delete(`/operators/${id}`),
    ])
      expect([status, body.error.code]).toEqual([409, 'LAST_OPERATOR']);
    expect((await remaining.patch(`/operators/${demoted}`, { role: 'operator' })).status).toBe(204);
    expect((await operator.get('/keys')).status).toBe(200);
  });
});

describe('sessions', () => {
  interface ListedSession {
    readonly id: string;
    readonly operator: { readonly name: string };
  }
  const sessionsSeen = async (client: ConsoleClient) =>
    (await client.get<Listed<ListedSession>>('/sessions?limit=100')).body.items;

  it('[PPL9] a runner: sees and ends own sessions only; an auditor sees all and ends own ones', async () => {
    const names = new Set((await sessionsSeen(people.runner)).map((session) => session.operator.name));
    expect([...names]).toEqual(['A runner']);
    const foreign = (await sessionsSeen(people.auditor)).find(
      ({ operator }) => operator.name === 'A designer',
    );
    for (const client of [people.runner, people.auditor]) {
      expect((await client.delete(`/sessions/${foreign?.id}`)).status).toBe(404);
      expect((await client.delete(`/sessions?operator=${await idOf(people.designer)}`)).status).toBe(404);
      expect((await client.delete<{ revoked: number }>('/sessions')).body.revoked).toBe(0);
    }
    expect((await people.designer.get('/jobs')).status).toBe(200);
    const [own] = await sessionsSeen(people.runner);
    expect((await people.runner.delete(`/sessions/${own?.id}`)).status).toBe(204);
    expect((await people.runner.get('/jobs')).status).toBe(401);
  });
});
