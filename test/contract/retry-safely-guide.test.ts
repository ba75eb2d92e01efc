import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { seal, startBulkfillServer } from '../support/bulkfill-server.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { openArchive } from '../support/fill-cli.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/retry-safely.md'), 'utf8');
const hasCurl = spawnSync('curl', ['--version']).status === 0;

const blocks = [...guide.matchAll(/<!-- run -->\s+```sh\n(?<code>[\s\S]*?)```/g)].map(
  ({ groups }) => groups?.code ?? '',
);
// The pauses are for servers that need time.
const NO_PAUSES = 'sleep() { :; }';
const sh = promisify(execFile);

/** The files of the guide in a folder of their own. */
async function folder(): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'rp-guide-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const example = join(root, 'examples/01-fill-a-form');
  for (const name of ['form.pdf', 'rows.csv']) await cp(join(example, name), join(cwd, name));
  const layout = layoutSchema.parse(JSON.parse(await readFile(join(example, 'layout.json'), 'utf8')));
  await writeFile(join(cwd, 'form.doqlo'), await seal(layout, await readFile(join(cwd, 'form.pdf'))));
  return cwd;
}

test.skipIf(!hasCurl)('[REQ1] [BF87] the loop of the guide behind a bad network: makes one job', async () => {
  const server = await startBulkfillServer();
  const { key } = await server.account();
  const proxy = await startFaultProxy({
    target: server.url,
    rate: 1,
    streak: 2,
    faults: ['refuse', 'lose-response', 'cut-response'],
  });
  onTestFinished(async () => {
    await proxy.close();
    await server.stop();
  });
  const cwd = await folder();
  const script = [NO_PAUSES, ...blocks].join('\necho; echo ====\n');
  const env = { PATH: process.env.PATH ?? '', ROWPRESS_URL: proxy.url, ROWPRESS_KEY: key };
  const { stdout } = await sh('sh', ['-eu', '-c', script], { cwd, env, timeout: 90_000 });

  const [, created = '', , looked = ''] = stdout.split('\n====\n').map((text) => text.trim());
  const { job_id } = JSON.parse(created);
  expect(JSON.parse(looked)).toMatchObject({ job_id });
  expect(openArchive(await readFile(join(cwd, 'filled.zip'))).manifest.summary).toMatchObject({
    success_rows: 3,
  });
  // Create, status, download and lookup, each after two attempts without a complete response.
  expect(proxy.report().requests).toBeGreaterThanOrEqual(4 * 3);
});

test.skipIf(!hasCurl)('[BF32] the loop of the guide with a row that fails: ends with the job', async () => {
  const server = await startBulkfillServer();
  onTestFinished(() => server.stop());
  const { key } = await server.account();
  const cwd = await folder();
  await writeFile(join(cwd, 'rows.csv'), `${'x'.repeat(10_001)},2026-001\n`);
  const env = { PATH: process.env.PATH ?? '', ROWPRESS_URL: server.url, ROWPRESS_KEY: key };
  const script = `${NO_PAUSES}\n${blocks[0]}`;
  const ended = await sh('sh', ['-eu', '-c', script], { cwd, env, timeout: 110_000 }).catch((error) => error);
  expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining('FAILED_ROW_THRESHOLD_EXCEEDED') });
});
