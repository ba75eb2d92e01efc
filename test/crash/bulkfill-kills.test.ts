import { expect, onTestFinished, test } from 'vitest';
import type { ExportJob } from '#bulkfill/contract.ts';
import { withDatabase } from '#cli/with-database.ts';
import { loadConfig } from '#config.ts';
import { codeLayout, letterPdf, SEAL_KEY, seal } from '../support/bulkfill-server.ts';
import { rowpressJson } from '../support/cli.ts';
import { temporaryDataDir } from '../support/embedded-owner.ts';
import { openArchive, sha256 } from '../support/fill-cli.ts';
import { cliSandbox } from '../support/run-cli.ts';
import { ServerProcess } from '../support/server-process.ts';

const ROWS = 10_000;
const KILLS = 5;

test('[BF71] [JOB12] a job whose server is killed five times gives the same ZIP, one bill and one event', async () => {
  const dataDir = temporaryDataDir();
  const env = {
    ROWPRESS_DATA_DIR: dataDir,
    ROWPRESS_SEAL_KEY: Buffer.from(SEAL_KEY).toString('hex'),
    ROWPRESS_WORKERS: '1',
    ROWPRESS_WEBHOOK_ALLOW: 'nobody.invalid',
  };
  let server = await ServerProcess.start(env);
  onTestFinished(() => server.stop());
  const { key } = await rowpressJson<{ key: string }>(
    ['keys', 'create', '--surface', 'bulkfill', '--account', 'kills'],
    env,
  );
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
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}/v1/bulkfill/export-jobs${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
    });
  const create = async (wait: string) => {
    const headers = { 'idempotency-key': 'killed', prefer: `wait=${wait}` };
    const response = await ask('', { method: 'POST', body: form(), headers });
    return (await response.json()) as ExportJob;
  };

  const job = await create('0');
  for (let killed = 0; killed < KILLS; killed += 1) {
    // A kill at another moment of the work each time; the slice under way is lost.
    await new Promise((resolve) => setTimeout(resolve, 150 + killed * 90));
    const state = (await (await ask(`/${job.job_id}`)).json()) as ExportJob;
    expect(['queued', 'processing']).toContain(state.status);
    await server.kill();
    server = await ServerProcess.start(env);
  }
  // The client, which never got an answer that it was over, sends its request again.
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
