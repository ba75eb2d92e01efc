import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  type BulkfillServer,
  letterPdf,
  nameLayout,
  SEAL_KEY,
  seal,
  startBulkfillServer,
} from '../support/bulkfill-server.ts';
import { ROWPRESS } from '../support/cli.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { openArchive } from '../support/fill-cli.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';

/** Commands against a server, run in a folder that has no installation. */
let server: BulkfillServer;
let sandbox: CliSandbox;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startBulkfillServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  sandbox = await cliSandbox();
  onTestFinished(() => sandbox.remove());
  env = { ROWPRESS_SERVER: server.url, ROWPRESS_API_KEY: (await server.account()).key };
  await sandbox.write('form.pdf', letterPdf);
  await sandbox.write('form.doqlo', await seal(nameLayout, letterPdf));
  await sandbox.write('rows.csv', 'Ann\nBob\nCara\n');
});

const submit = ['submit', '--pdf', 'form.pdf', '--package', 'form.doqlo', '--rows', 'rows.csv'];
const run = (...args: string[]) => sandbox.run(args, env);
const fail = (...args: string[]) => run(...args, '--json').then((ended) => [ended.status, ended.json().code]);

test('[OPS70] [OPS71] submit -o: creates the job, waits, and saves a verified ZIP', async () => {
  const made = await run(...submit, '-o', 'out.zip', '--json');
  expect(made.status).toBe(0);
  const { job_id, idempotency_key } = made.json();
  expect(made.json()).toMatchObject({ status: 'completed', output: 'out.zip', verified_rows: 3 });
  expect(made.stderr).toContain(`add --idempotency-key ${idempotency_key}`);
  const { manifest } = openArchive(await sandbox.read('out.zip'));
  expect(manifest.summary).toMatchObject({ success_rows: 3 });
  expect((await run('verify', 'out.zip')).status).toBe(0);

  const again = await run(...submit, '--idempotency-key', String(idempotency_key));
  expect(again).toMatchObject({ status: 0, stdout: `${job_id}\n` });
  expect(await fail(...submit, '--dry-run', '--idempotency-key', String(idempotency_key))).toEqual([
    1,
    'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH',
  ]);
  const fresh = await run(...submit);
  expect(fresh.stdout).not.toBe(again.stdout);
});

test('[OPS71] [OPS72] wait, download, jobs list, show and cancel: follow a job by its id', async () => {
  const id = (await run(...submit)).stdout.trim();
  expect((await run('wait', id, '--json')).json()).toMatchObject({ job_id: id, status: 'completed' });
  expect(await run('download', id, '-o', 'out.zip')).toMatchObject({ status: 0, stdout: '' });
  const piped = await run('download', id, '-o', '-');
  expect(Buffer.from(piped.stdoutBytes).equals(await sandbox.read('out.zip'))).toBe(true);
  expect((await run('jobs', 'list', '--json')).json()).toMatchObject({ jobs: [{ job_id: id }] });
  expect((await run('jobs', 'list')).stdout).toContain(id);
  expect((await run('jobs', 'show', id, '--json')).json()).toMatchObject({ job_id: id, problem_rows: [] });
  expect((await run('jobs', 'cancel', id)).stderr).toContain('files are deleted');
  expect(await fail('download', id, '-o', 'gone.zip')).toEqual([1, 'EXPORT_DELIVERY_NOT_FOUND']);
  await expect(sandbox.read('gone.zip')).rejects.toThrow('ENOENT');
});

test('[OPS70] [OPS73] a row that fails: exit code 3 at a threshold of 0; jobs show names it, jobs retry takes its correction', async () => {
  await sandbox.write('rows.json', [{ column_0: 'Ann' }, { column_0: {} }, { column_0: 'Cara' }]);
  const rows = ['submit', '--pdf', 'form.pdf', '--package', 'form.doqlo', '--rows', 'rows.json', '--wait'];
  const strict = await run(...rows, '--max-failed-row-percent', '0', '--json');
  expect([strict.status, strict.json().code]).toEqual([3, 'FAILED_ROW_THRESHOLD_EXCEEDED']);
  const id = String((await run(...rows, '--json')).json().job_id);
  const shown = (await run('jobs', 'show', id, '--json')).json();
  expect(shown).toMatchObject({ problem_rows: [{ row_number: 2, code: 'ROW_VALUE_INVALID' }] });
  expect((await run('jobs', 'show', id)).stdout).toMatch(/^2 +failed +ROW_VALUE_INVALID/m);

  await sandbox.write('fixed.json', [{ row_number: 2, cells: { column_0: 'Bob' } }]);
  const retried = await run('jobs', 'retry', id, '--rows', 'fixed.json', '-o', 'rest.zip', '--json');
  expect(retried.json()).toMatchObject({ status: 'completed', retry_of: id, verified_rows: 1 });
  const { manifest } = openArchive(await sandbox.read('rest.zip'));
  expect(manifest.row_results).toMatchObject([{ source_row_number: 2, status: 'success' }]);
  await sandbox.write('fixed.json', [{ row: 2 }]);
  expect(await fail('jobs', 'retry', id, '--rows', 'fixed.json')).toEqual([2, 'USAGE']);
});

test('[OPS70] layout.json: is sealed with a key of this machine, and refused without one', async () => {
  await sandbox.write('layout.json', nameLayout);
  const args = ['submit', '--pdf', 'form.pdf', '--layout', 'layout.json', '--rows', 'rows.csv', '--wait'];
  expect(await fail(...args)).toEqual([1, 'SEAL_KEY_INVALID']);
  await expect(sandbox.read('data/seal.key')).rejects.toThrow('ENOENT');
  env.ROWPRESS_SEAL_KEY = Buffer.from(SEAL_KEY).toString('hex');
  expect((await run(...args, '--json')).json()).toMatchObject({ status: 'completed' });
});

test('[OPS74] no server, no key, a wrong key, a server that cannot be reached: codes and exit codes', async () => {
  const { ROWPRESS_SERVER = '', ROWPRESS_API_KEY = '' } = env;
  const using = async (given: Record<string, string>, ...args: string[]) => {
    const ended = await sandbox.run([...args, '--json'], given);
    return [ended.status, ended.json().code];
  };
  expect(await using({ ROWPRESS_API_KEY }, 'jobs', 'list')).toEqual([2, 'USAGE']);
  expect(await using({ ROWPRESS_SERVER }, 'jobs', 'list')).toEqual([2, 'USAGE']);
  expect(await using({ ROWPRESS_API_KEY }, 'jobs', 'list', '--server', 'ftp://a')).toEqual([2, 'USAGE']);
  expect(await using({ ROWPRESS_API_KEY }, 'jobs', 'list', '--server', ROWPRESS_SERVER)).toEqual([
    0,
    undefined,
  ]);
  expect(await using({ ROWPRESS_SERVER, ROWPRESS_API_KEY: 'wrong' }, 'jobs', 'list')).toEqual([
    1,
    'BF_EXPORT_API_KEY_INVALID',
  ]);
  await sandbox.write('key', `${ROWPRESS_API_KEY}\n`);
  const file = { ROWPRESS_SERVER, ROWPRESS_API_KEY_FILE: sandbox.path('key') };
  expect(await using(file, 'jobs', 'list')).toEqual([0, undefined]);
  expect(await fail('submit', '--pdf', 'form.pdf', '--package', 'form.doqlo')).toEqual([2, 'USAGE']);
  expect(await fail(...submit, '-o', 'rows.csv')).toEqual([2, 'USAGE']);
  expect(await fail(...submit.slice(0, -1), 'none.csv')).toEqual([2, 'USAGE']);
  const nobody = ['--server', 'http://127.0.0.1:1', '--retries', '0'];
  const unreached = await run('wait', 'some-id', ...nobody, '--json');
  expect(unreached.json()).toMatchObject({ code: 'CONNECTION_FAILED', retry: 'same-key' });
  expect(unreached).toMatchObject({ status: 1, stderr: expect.stringContaining('127.0.0.1:1 failed') });
  expect(await fail('wait', 'not-an-id')).toEqual([1, 'INVALID_JOB_ID']);
});

test('[OPS71] a network that breaks connections: one job and a complete ZIP', async () => {
  const proxy = await startFaultProxy({
    target: server.url,
    seed: 7,
    rate: 0.6,
    faults: ['refuse', 'cut-upload', 'lose-response', 'cut-response', 'duplicate'],
  });
  onTestFinished(() => proxy.close());
  const made = await run(...submit, '-o', 'out.zip', '--json', '--server', proxy.url);
  expect([made.status, made.json().verified_rows]).toEqual([0, 3]);
  const { jobs } = (await run('jobs', 'list', '--json')).json() as { jobs: object[] };
  expect(jobs).toHaveLength(1);
});

test('[OPS71] Ctrl-C while waiting: prints how to continue; the printed key is the one that was sent', async () => {
  const id = '0198b3c4-0000-7000-8000-000000000001';
  const job = JSON.stringify({ job_id: id, status: 'queued', created_at: '2026-01-01T00:00:00.000Z' });
  let sentKey: string | undefined;
  const neverDone = createServer((request, response) => {
    if (request.method === 'POST') sentKey = String(request.headers['idempotency-key']);
    request.resume().on('end', () => {
      if (!request.url?.endsWith('/events'))
        response.writeHead(202, { 'content-type': 'application/json' }).end(job);
    });
  }).listen(0, '127.0.0.1');
  await once(neverDone, 'listening');
  onTestFinished(() => {
    neverDone.closeAllConnections();
    neverDone.close();
  });
  const url = `http://127.0.0.1:${(neverDone.address() as AddressInfo).port}`;
  const child = spawn(ROWPRESS, [...submit, '--wait'], {
    cwd: sandbox.folder,
    env: { PATH: process.env.PATH ?? '', ...env, ROWPRESS_SERVER: url },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const said: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    said.push(line);
    if (line === `rowpress: job ${id}`) child.kill('SIGINT');
  }
  expect(await ended).toEqual([null, 'SIGINT']);
  expect(said[0]).toContain(`idempotency key ${sentKey} `);
  expect(said.at(-1)).toContain(`rowpress wait ${id}`);
});

test('[OPS75] the key: is never an option', async () => {
  for (const command of ['submit', 'wait', 'download', 'push', 'import']) {
    const { stdout } = await run(command, '--help');
    expect(stdout).toContain('ROWPRESS_API_KEY');
    expect(stdout).not.toMatch(/--(api-)?key /);
  }
  expect(await readFile(new URL('../../docs/settings.md', import.meta.url), 'utf8')).toContain(
    'ROWPRESS_API_KEY',
  );
});
