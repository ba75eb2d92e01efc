import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tools } from '#bulkfill/mcp/tools.ts';
import type { LayoutInput } from '#fill/package/layout-schema.ts';
import { type BulkfillClient, openScene, type Scene } from '../support/bulkfill-client.ts';
import { letterPdf, seal } from '../support/bulkfill-server.ts';
import { signedIn } from '../support/console-client.ts';
import { box, layoutOf } from '../support/fill-cli.ts';
import { McpClient } from '../support/mcp-client.ts';
import { saveProject } from '../support/projects.ts';

const columns = (labels: readonly string[]) =>
  layoutOf(
    labels.map((_, index) => ({
      ...box,
      id: `t${index}`,
      type: 'text',
      value: { column: `column_${index}` },
    })),
    { columns: labels.map((label, index) => ({ key: `column_${index}`, label })) },
  );
const letter = columns(['Name']);
const HOUR_MS = 3_600_000;

let scene: Scene;
let client: BulkfillClient;
let agent: McpClient;
let projectId: string;
beforeAll(async () => {
  scene = await openScene({
    env: { ROWPRESS_BULKFILL_READ_PER_MINUTE: '300', ROWPRESS_BULKFILL_DOWNLOAD_PER_MINUTE: '3' },
  });
  client = scene.client;
  projectId = await project(client, 'Letter', letter);
  agent = await McpClient.http(scene.server.url, client.account.key);
});
afterAll(async () => {
  await agent?.close();
  await scene?.server.stop();
});

async function project(owner: BulkfillClient, name: string, layout: LayoutInput): Promise<string> {
  const fields = { name, pdf: letterPdf, doqlo_file: await seal(layout, letterPdf) };
  const headers = { 'idempotency-key': `project-${name}` };
  const { body } = await saveProject(owner, '/v1/bulkfill/projects', fields, { method: 'POST', headers });
  return body.project_id;
}

interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly idempotency_key: string;
}
const names = (...all: readonly string[]) => all.map((Name) => ({ Name }));
const run = async (rows: readonly object[], more: object = {}) =>
  (await agent.call<Job>('run_rows', { project: 'Letter', rows, ...more })).data;

const MESSAGE = { jsonrpc: '2.0', id: 1, method: 'ping' };
const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${scene.server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${client.account.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
];

describe('the tools', () => {
  /** Why a client may or may not call each tool without asking a person. */
  const EFFECTS = {
    list_projects: 'reads',
    get_row_schema: 'reads',
    // Leaves the record of a dry run, which costs nothing.
    dry_run_rows: 'adds a job once',
    // Makes a job of one row unless it looks at a row of a job.
    look_at_row: 'adds a job once',
    run_rows: 'adds a job once',
    get_job_status: 'reads',
    get_problem_rows: 'reads',
    get_download_links: 'reads',
  };

  it('[MCP3] the list: has these tools, each with its effect, and none that deletes', async () => {
    const { tools: listed } = await agent.sdk.listTools();
    const effects = listed.map(({ name, annotations }) => [
      name,
      annotations?.readOnlyHint ? 'reads' : 'adds a job once',
    ]);
    expect(Object.fromEntries(effects)).toEqual(EFFECTS);
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    for (const { name, annotations, inputSchema } of listed) {
      expect(annotations, name).toMatchObject({
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
    }
    // Some clients convert schemas to dialects in which `type` is one name.
    expect(JSON.stringify(listed)).not.toContain('"type":[');
    // An agent reads the whole list at the start of every conversation.
    expect(JSON.stringify(listed).length).toBeLessThan(9_000);
    expect(agent.sdk.getInstructions()).toContain('list_projects');
    expect(agent.sdk.getServerVersion()).toMatchObject({ name: 'rowpress' });
  });

  it('[MCP3] the guide: has a line for each tool, and configurations that are valid JSON', () => {
    const guide = readFileSync(new URL('../../docs/guides/use-with-ai-agents.md', import.meta.url), 'utf8');
    const lines = [...guide.matchAll(/^\| `(\w+)` \| [^|]+ \| (?<effect>[^|]+) \|$/gm)];
    const stated = lines.map(([, name, effect = '']) => [
      name,
      effect === 'none' ? 'reads' : 'adds a job once',
    ]);
    expect(Object.fromEntries(stated)).toEqual(EFFECTS);
    const blocks = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => JSON.parse(text));
    expect(blocks).toMatchObject([
      { mcpServers: { rowpress: { type: 'http', url: expect.stringMatching(/\/mcp$/) } } },
      { mcpServers: { rowpress: { args: ['mcp', '--server', expect.any(String)] } } },
    ]);
  });

  it('[MCP12] long lists: come in pages, without the columns of projects', async () => {
    const wide = await scene.another();
    const labels = Array.from({ length: 130 }, (_, index) => `Field ${index}`);
    await project(wide, 'Narrow', letter);
    await project(wide, 'Wide', columns(labels));
    const other = await McpClient.http(scene.server.url, wide.account.key);
    const first = (
      await other.call<{ projects: { name: string }[]; next_cursor: string }>('list_projects', { limit: 1 })
    ).data;
    const second = (await other.call<typeof first>('list_projects', { limit: 1, cursor: first.next_cursor }))
      .data;
    expect([first, second].flatMap(({ projects }) => projects.map(({ name }) => name))).toEqual([
      'Wide',
      'Narrow',
    ]);
    expect(second.next_cursor).toBeNull();

    type Page = { row_schema: { properties: object; required: string[] }; next_cursor: string | null };
    const start = (await other.call<Page>('get_row_schema', { project: 'Wide' })).data;
    const rest = (await other.call<Page>('get_row_schema', { project: 'Wide', cursor: start.next_cursor }))
      .data;
    const named = [start, rest].map(({ row_schema }) => Object.keys(row_schema.properties));
    expect(named.map(({ length }) => length)).toEqual([100, 30]);
    expect(named.flat()).toEqual(labels);
    expect(rest).toMatchObject({ next_cursor: null, row_schema: { required: named[1] } });

    const bad = Array.from({ length: 30 }, () => ({ Name: {} }));
    const checked = await other.call<{ job_id: string; problems: object[]; next_cursor: string }>(
      'dry_run_rows',
      { project: 'Narrow', rows: bad, max_problems: 5 },
    );
    expect(checked.data.problems).toHaveLength(5);
    const { job_id, next_cursor: cursor } = checked.data;
    const more = (
      await other.call<{ problems: { row_number: number }[] }>('get_problem_rows', { job_id, cursor })
    ).data;
    expect(more.problems.map(({ row_number }) => row_number)).toEqual(
      Array.from({ length: 25 }, (_, index) => index + 6),
    );
    await other.close();
  });
});

describe('keys and limits', () => {
  it('[MCP5] no key, a wrong key, one of another surface and a revoked one: as in the API', async () => {
    const { account } = await scene.another();
    const ingest = await scene.server.account({ surface: 'ingest', name: 'partner' });
    const as = (authorization: string) => post(MESSAGE, { authorization });
    expect(await codeOf(await as(''))).toEqual([401, 'BF_EXPORT_API_KEY_REQUIRED']);
    expect(await codeOf(await as(`Bearer ${account.key}x`))).toEqual([401, 'BF_EXPORT_API_KEY_INVALID']);
    expect(await codeOf(await as(`Bearer ${ingest.key}`))).toEqual([401, 'BF_EXPORT_API_KEY_INVALID']);
    expect((await as(`Bearer ${account.key}`)).status).toBe(200);
    await (await signedIn(scene.server)).delete(`/keys/${account.keyId}`);
    expect(await codeOf(await as(`Bearer ${account.key}`))).toEqual([403, 'BF_EXPORT_API_KEY_REVOKED']);
  });

  it('[MCP6] a message above 1 MiB: 413', async () => {
    const big = { ...MESSAGE, params: { x: 'x'.repeat(1024 * 1024) } };
    expect(await codeOf(await post(big))).toEqual([413, 'ROWS_TOO_LARGE']);
  });

  it('[MCP6] more calls than a limit allows: a tool error, then 429 for the messages themselves', async () => {
    const busy = await scene.another();
    await project(busy, 'Letter', letter);
    const other = await McpClient.http(scene.server.url, busy.account.key);
    const { job_id } = (await other.call<Job>('run_rows', { project: 'Letter', rows: names('A') })).data;
    // Three pass per minute. Even if a minute ends in between, two of eight are refused.
    const refusals = await Promise.all(
      Array.from({ length: 8 }, () => other.refused('look_at_row', { job_id, row_number: 2 })),
    );
    const refused = refusals.find(({ code }) => code !== 'EXPORT_DELIVERY_NOT_FOUND');
    expect(refused).toEqual({
      code: 'RATE_LIMITED',
      message: 'Too many requests. Retry later.',
      retry: 'same-key',
      status: 429,
      request_id: expect.stringMatching(/^trace-/),
      retry_after_seconds: expect.any(Number),
    });
    const headers = { authorization: `Bearer ${busy.account.key}` };
    const statuses: number[] = [];
    // 300 pass per minute, in at most two minutes.
    while (!statuses.includes(429) && statuses.length < 700)
      statuses.push(
        ...(await Promise.all(
          Array.from({ length: 100 }, async () => (await post(MESSAGE, headers)).status),
        )),
      );
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    await other.close();
  });

  it('[MCP7] no sessions: GET and DELETE are 405, a batch and other JSON are 400, and a foreign Origin is 403', async () => {
    const headers = { authorization: `Bearer ${client.account.key}`, accept: 'text/event-stream' };
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${scene.server.url}/mcp`, { method, headers });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
    expect(await codeOf(await post([MESSAGE, MESSAGE]))).toEqual([400, 'INVALID_MULTIPART']);
    expect((await post({ hello: 'world' })).status).toBe(400);
    expect((await post('{')).status).toBe(400);
    expect((await post('')).status).toBe(400);
    expect((await post(MESSAGE, { accept: 'application/json' })).status).toBe(406);
    expect((await post(MESSAGE, { origin: 'https://evil.example' })).status).toBe(403);
    const same = await post(MESSAGE, { origin: scene.server.url });
    expect([same.status, await same.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
    expect(same.headers.get('mcp-session-id')).toBeNull();
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
  });

  it("[MCP4] another account's projects and jobs: are not found, as if they did not exist", async () => {
    const { job_id } = await run(names('Secret'));
    const { account } = await scene.another();
    const other = await McpClient.http(scene.server.url, account.key);
    expect((await other.call('list_projects')).data).toEqual({ projects: [], next_cursor: null });
    const unknown = '0190a000-0000-7000-8000-000000000001';
    for (const reference of [projectId, unknown, 'Letter'])
      for (const name of ['get_row_schema', 'dry_run_rows', 'run_rows'])
        expect(
          await other.refused(name, {
            project: reference,
            ...(name !== 'get_row_schema' && { rows: names('A') }),
          }),
          name,
        ).toMatchObject({ code: 'PROJECT_NOT_FOUND', retry: 'no' });
    for (const id of [job_id, unknown]) {
      for (const name of ['get_job_status', 'get_problem_rows', 'get_download_links'])
        expect(await other.refused(name, { job_id: id }), name).toMatchObject({
          code: 'EXPORT_JOB_NOT_FOUND',
          status: 404,
        });
      expect(await other.refused('look_at_row', { job_id: id, row_number: 1 })).toMatchObject({
        code: 'EXPORT_DELIVERY_NOT_FOUND',
      });
    }
    await other.close();
  });
});

describe('running', () => {
  it('[MCP8] the same call ten times at once: one job', async () => {
    const rows = names('Ada', 'Grace');
    const jobs = await Promise.all(Array.from({ length: 10 }, () => run(rows)));
    expect(new Set(jobs.map(({ job_id }) => job_id)).size).toBe(1);
    expect(new Set(jobs.map(({ idempotency_key }) => idempotency_key)).size).toBe(1);
    const other = await run(names('Ada'));
    expect(other.idempotency_key).not.toBe(jobs[0]?.idempotency_key);
  });

  it('[MCP8] a key of the caller: another run of the same rows, and new-key for other rows', async () => {
    const rows = names('Ada', 'Grace');
    const derived = await run(rows);
    const own = await run(rows, { idempotency_key: 'mine-1' });
    expect(own).toMatchObject({ status: 'completed', idempotency_key: 'mine-1' });
    expect(own.job_id).not.toBe(derived.job_id);
    expect((await run(rows, { idempotency_key: 'mine-1' })).job_id).toBe(own.job_id);
    expect(
      await agent.refused('run_rows', { project: 'Letter', rows: names('Eve'), idempotency_key: 'mine-1' }),
    ).toMatchObject({
      code: 'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH',
      retry: 'new-key',
      status: 409,
      differs_in: ['rows'],
    });
  });

  it('[MCP9] a new version of the project, or expired files: the same call makes a new job', async () => {
    const rows = names('Version');
    const first = await run(rows);
    const put = await saveProject(
      client,
      `/v1/bulkfill/projects/${projectId}`,
      { doqlo_file: await seal(columns(['Name', 'Extra']), letterPdf) },
      { method: 'PUT', headers: {} },
    );
    expect(put.body.version).toBe(2);
    expect(await agent.refused('run_rows', { project: 'Letter', rows })).toMatchObject({
      code: 'COLUMNS_MISSING',
      status: 422,
    });
    expect((await run(rows, { project: 'Letter@1' })).job_id).toBe(first.job_id);

    scene.server.clock.advance(7 * HOUR_MS);
    expect(await agent.refused('get_download_links', { job_id: first.job_id })).toMatchObject({
      code: 'EXPORT_DELIVERY_NOT_FOUND',
      message: 'The files of the job have expired, so there is nothing to download.',
    });
    const again = await run(rows, { project: 'Letter@1' });
    expect(again.job_id).not.toBe(first.job_id);
    expect(again.idempotency_key).toBe(first.idempotency_key.replace(/1$/, '2'));
    expect(await agent.call('get_download_links', { job_id: again.job_id })).toBeTruthy();
  });

  it('[MCP10] a job that fails: is a result with its reason, and its rows are listed', async () => {
    const rows = [{ Name: 'Ada' }, { Name: {} }];
    const failed = await run(rows, { project: 'Letter@1' });
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'FAILED_ROW_THRESHOLD_EXCEEDED', retry: 'no', details: { failed_row_count: 1 } },
      next: 'Call get_problem_rows.',
    });
    const { job_id } = failed;
    expect((await agent.call('get_problem_rows', { job_id, status: 'failed' })).data).toMatchObject({
      problems: [{ row_number: 2, code: 'ROW_VALUE_INVALID', column_label: 'Name' }],
    });
    expect(await agent.refused('get_download_links', { job_id })).toMatchObject({
      message: 'The job is failed, so there is nothing to download.',
    });
    const look = await agent.call('look_at_row', { project: 'Letter@1', row: rows[1] });
    expect(look.png).toBeUndefined();
    expect(look.data).toMatchObject({ problems: [{ row_number: 1, code: 'ROW_VALUE_INVALID' }] });
  });

  it('[MCP11] get_job_status with wait_seconds: returns when the job has ended', async () => {
    const { job_id } = await run(names('Waiting'), { project: 'Letter@1', wait_seconds: 0 });
    const { data } = await agent.call('get_job_status', { job_id, wait_seconds: 45 });
    expect(data).toMatchObject({ status: 'completed', rows_total: 1, rows_done: 1, rows_failed: 0 });
  });

  it('[MCP15] an integer that JSON has rounded: is rejected with the row and the column', async () => {
    const rows = [{ Name: 'Ada' }, { Name: 12345678901234567890n }];
    const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? `#${value}#` : value));
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dry_run_rows","arguments":{"project":"Letter@1","rows":${text.replaceAll(/"#|#"/g, '')}}}}`;
    expect(await (await post(call)).text()).toContain('Row 2, \\\\\\"Name\\\\\\": integers beyond 2^53');
  });
});

describe('errors', () => {
  it('[MCP14] wrong arguments: a tool error that names the field', async () => {
    const cases: [string, object, RegExp][] = [
      ['run_rows', { project: 'Letter' }, /^rows: /],
      ['run_rows', { project: 'Letter', rows: [] }, /^rows: /],
      ['run_rows', { project: 'Letter', rows: names('A'), idempotency_key: 'a b' }, /^idempotency_key: /],
      ['look_at_row', { project: 'Letter' }, /^Pass job_id and row_number, or project and row\.$/],
      ['list_projects', { limit: 0 }, /^limit: /],
      ['list_projects', { cursor: 'x' }, /cursor/],
      ['get_row_schema', { project: 'Letter', cursor: 'x' }, /^cursor /],
    ];
    for (const [name, input, message] of cases)
      expect(await agent.refused(name, input), JSON.stringify(input)).toMatchObject({
        code: 'INVALID_FIELD',
        retry: 'no',
        message: expect.stringMatching(message),
      });
    expect(await agent.refused('get_job_status', { job_id: '../keys' })).toMatchObject({
      code: 'INVALID_JOB_ID',
      status: 400,
    });
    await expect(agent.call('delete_everything')).rejects.toThrow(/There is no tool/);
  });
});
