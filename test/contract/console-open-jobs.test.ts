import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import type { Job } from '#console/contract/jobs.ts';
import { badRow, goodRows, openScene, rowsJson } from '../support/bulkfill-client.ts';
import { startBulkfillServer } from '../support/bulkfill-server.ts';
import { ROWPRESS } from '../support/cli.ts';
import { ConsoleClient, type Listed, signedIn } from '../support/console-client.ts';

it('[CON14][CON16] an open job that is cancelled: the stream shows both', async () => {
  const { server, client } = await openScene({ env: { ROWPRESS_ROLE: 'api', ROWPRESS_SYNC_WAIT_MS: '0' } });
  onTestFinished(() => server.stop());
  const operator = await signedIn(server);
  const { body: job } = await client.create({ rows_json: rowsJson(goodRows(5)) });
  const stream = await operator.fetch('/jobs/stream');
  const seen: string[] = [];
  let cancelled: Promise<unknown> | undefined;
  let text = '';
  for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    for (const [, data = ''] of text.matchAll(/data: (.*)\n\n/g)) {
      const { id, state } = JSON.parse(data) as Job;
      if (id === job.job_id && seen.at(-1) !== state) seen.push(state);
    }
    if (seen.includes('queued')) cancelled ??= operator.post(`/jobs/${job.job_id}/cancel`);
    if (seen.includes('failed')) break;
  }
  expect(seen.slice(0, 2)).toEqual(['queued', 'failed']);
  expect(await cancelled).toMatchObject({
    status: 200,
    body: { state: 'failed', cancelled: true, error: { code: 'EXPORT_CANCELLED' } },
  });
});

it('[CON15] failed rows of an import: listed by line and column; items of a load: by id', async () => {
  const server = await startBulkfillServer();
  onTestFinished(() => server.stop());
  const operator = await signedIn(server);
  const { name } = await server.account();
  const send = async (path: string, body: object) => {
    const headers = {
      'content-type': 'application/json',
      'x-rowpress-account': name,
      'x-correlation-id': randomUUID(),
    };
    const init = { headers, body: JSON.stringify(body) };
    expect((await operator.request('POST', `/acting${path}`, init)).status).toBe(202);
    const settled = async () => {
      const { items } = (await operator.get<Listed<Job>>(`/jobs?account=${name}&limit=1`)).body;
      return items[0]?.settled_at === null ? undefined : items[0];
    };
    await expect.poll(settled).toBeDefined();
    return (await settled()) as Job;
  };
  const problems = async (id: string) =>
    (await operator.get<Listed<Record<string, unknown>>>(`/jobs/${id}/problem-rows?limit=1`)).body;

  const imported = await send('/subscribers/jobs/subscriber-imports', {
    csv_text: 'Email,Name\nada@example.com,Ada\nnobody,Private Person\n@,Other\n',
    mappings: [{ csv_column: 'Email', field: { type: 'email' } }],
  });
  expect(imported).toMatchObject({ surface: 'subscribers', kind: 'subscribers.import', rows: { failed: 2 } });
  const first = await problems(imported.id);
  expect(first.items).toMatchObject([{ row_number: 3, status: 'failed', field: 'Email' }]);
  expect(JSON.stringify(first)).not.toContain('Private Person');
  const next = await operator.get<Listed<object>>(
    `/jobs/${imported.id}/problem-rows?limit=1&cursor=${first.next_cursor}`,
  );
  expect(next.body).toMatchObject({ items: [{ row_number: 4 }], next_cursor: null });

  const load = await send('/ingest/master/skus?mode=bulk', {
    items: [{ source_id: 'S1', name: 'Screw', base_uom: 'BOX' }, { source_id: 'S2' }],
  });
  expect(load.public_id).toMatch(/^job-[0-9A-Z]{26}$/);
  expect((await operator.get<Job>(`/jobs/${load.public_id}`)).body.id).toBe(load.id);
  const waiting = await problems(load.public_id);
  expect(waiting.items).toMatchObject([{ row_number: 1, status: 'quarantined', field: 'S1' }]);

  await rm(join(server.env.ROWPRESS_DATA_DIR ?? '', 'blobs'), { recursive: true });
  const { status, body } = await operator.get(`/jobs/${imported.id}/problem-rows`);
  expect([status, body.error.code]).toEqual([404, 'PROBLEM_ROWS_GONE']);
});

it('[CON15] the files of an export are deleted: its problem rows are still listed', async () => {
  const { server, client } = await openScene();
  onTestFinished(() => server.stop());
  const operator = await signedIn(server);
  const { body: job } = await client.create({ rows_json: rowsJson([badRow]), max_failed_row_percent: '100' });
  await rm(join(server.env.ROWPRESS_DATA_DIR ?? '', 'blobs'), { recursive: true });
  const { body } = await operator.get<Listed<object>>(`/jobs/${job.job_id}/problem-rows`);
  expect(body.items).toMatchObject([{ row_number: 1, status: 'failed', code: 'ROW_VALUE_INVALID' }]);
});

it('[CON1] `serve`: prints a sign-in link on standard output that works', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rowpress-serve-'));
  const env = { PATH: process.env.PATH ?? '', ROWPRESS_DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' };
  const child = spawn(ROWPRESS, ['serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const gone = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await gone;
    await rm(dataDir, { recursive: true, force: true });
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value: link } = (await Promise.race([lines.next(), gone.then(() => ({ value: 'it ended' }))])) as {
    value: string;
  };
  expect(link).toMatch(/\/sign-in#token=/);
  const { status, body } = await new ConsoleClient({ url: new URL(link).origin }).signIn(link);
  expect([status, body.operator.name]).toEqual([200, 'operator']);
});
