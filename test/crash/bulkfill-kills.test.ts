import { expect, onTestFinished, test } from 'vitest';
import type { ExportJob } from '#bulkfill/contract.ts';
import { withDatabase } from '#cli/with-database.ts';
import { loadConfig } from '#config.ts';
import type { FaultPoint } from '#lib/fault-points.ts';
import { startBulkfillProcess } from '../support/bulkfill-process.ts';
import { codeLayout, letterPdf, SEAL_KEY, seal } from '../support/bulkfill-server.ts';
import { rowpressJson } from '../support/cli.ts';
import { temporaryDataDir } from '../support/embedded-owner.ts';
import { openArchive, sha256 } from '../support/fill-cli.ts';
import { cliSandbox } from '../support/run-cli.ts';

/** Six slices of 1,000 rows. Four of them commit before the kills. */
const ROWS = 6_000;
const KILLS: readonly { readonly point: FaultPoint; readonly at: number }[] = [
  { point: 'slice.after-begin', at: 2 },
  { point: 'slice.after-run', at: 1 },
  { point: 'slice.before-commit', at: 2 },
  { point: 'slice.after-commit', at: 2 },
  { point: 'settle.after-finish', at: 1 },
];

test('[BF71] [JOB12] a server that is killed at five points of one job: the same ZIP, one bill and one event', async () => {
  const dataDir = temporaryDataDir();
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    ROWPRESS_DATA_DIR: dataDir,
    ROWPRESS_SEAL_KEY: Buffer.from(SEAL_KEY).toString('hex'),
    ROWPRESS_WORKERS: '1',
    ROWPRESS_WEBHOOK_ALLOW: 'nobody.invalid',
  };
  const makeKey = () =>
    rowpressJson<{ key: string }>(['keys', 'create', '--surface', 'bulkfill', '--account', 'kills'], env);
  let key = '';
  const rows = Array.from({ length: ROWS }, (_, i) => ({ column_0: `Person ${i}`, column_1: `REF-${i}` }));
  const sealed = await seal(codeLayout, letterPdf);

  const form = () => {
    const body = new FormData();
    body.append('pdf', new Blob([letterPdf as Uint8Array<ArrayBuffer>]), 'a.pdf');
    body.append('doqlo_file', new Blob([sealed as Uint8Array<ArrayBuffer>]), 'a.doqlo');
    body.append('rows_json', new Blob([JSON.stringify(rows)]), 'rows.json');
    body.append('max_failed_row_percent', '0');
    body.append('delivery_mode', 'webhook');
    body.append('webhook_url', 'https://nobody.invalid/');
    body.append('webhook_secret', 'secret');
    return body;
  };
  let url = '';
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}/v1/bulkfill/export-jobs${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
    });
  const create = async (wait: string) => {
    const headers = { 'idempotency-key': 'killed', prefer: `wait=${wait}` };
    const response = await ask('', { method: 'POST', body: form(), headers });
    return (await response.json()) as ExportJob;
  };

  let job: ExportJob | undefined;
  for (const fault of KILLS) {
    const server = await startBulkfillProcess({ env, fault });
    url = server.url;
    key ||= (await makeKey()).key;
    job ??= await create('0');
    expect([fault.point, await server.died]).toEqual([fault.point, 'SIGKILL']);
  }
  if (job === undefined) throw new Error('bug: no job was created');
  url = (await startBulkfillProcess({ env })).url;
  // The client never received the result of its job, so it retries the request.
  let settled = await create('60');
  for (let i = 0; i < 5 && settled.completed_at === undefined; i += 1) settled = await create('60');
  expect([settled.job_id, settled.status]).toEqual([job.job_id, 'completed']);
  const ours = openArchive(new Uint8Array(await (await ask(`/${job.job_id}/download`)).arrayBuffer()));

  const sandbox = await cliSandbox();
  onTestFinished(() => sandbox.remove());
  await sandbox.write('a.pdf', letterPdf);
  await sandbox.write('a.doqlo', sealed);
  await sandbox.write('rows.json', rows);
  const undisturbed = await sandbox.run(
    [
      ...['fill', '--pdf', 'a.pdf', '--layout', 'a.doqlo', '--rows', 'rows.json', '-o', 'out.zip', '--json'],
      ...['--max-failed-row-percent', '0', '--timestamp', job.created_at],
    ],
    { ROWPRESS_SEAL_KEY: env.ROWPRESS_SEAL_KEY },
  );
  expect(undisturbed.status, undisturbed.stderr).toBe(0);
  const theirs = await sandbox.read('out.zip');
  expect(ours.manifest.summary.success_rows).toBe(ROWS);
  expect(sha256(ours.bytes)).toBe(sha256(theirs));

  const read = loadConfig(env);
  if (!read.ok) throw new Error(read.problems.join());
  const { ledger, events, jobs } = await withDatabase(read.config, async ({ pool }) => ({
    ledger: (await pool.query('select billed_rows from quota_ledger')).rows,
    events: (await pool.query('select distinct id from events')).rows,
    jobs: (await pool.query('select state from jobs')).rows,
  }));
  expect(jobs).toEqual([{ state: 'completed' }]);
  expect(ledger).toEqual([{ billed_rows: ROWS }]);
  expect(events).toHaveLength(1);
});
