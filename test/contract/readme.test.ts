import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startBulkfillServer } from '../support/bulkfill-server.ts';
import { openArchive } from '../support/fill-cli.ts';

/** The README's "API quick start", as typed after cloning the repository and starting the server there. */
const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [, section = ''] = /^## API quick start\n([\s\S]*?)^## /m.exec(readme) ?? [];
const [quickStart = '', fill = ''] = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code]) => code);
const create = /^curl [\s\S]*? -o \/tmp\/job\.json$/m.exec(quickStart)?.[0] ?? '';
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const hasUnzip = spawnSync('unzip', ['-v']).status === 0;

test.skipIf(!hasCurl)('[BF38] [BF39] [BF71] the commands of the README: do what it says', async () => {
  // Without a configured key the installation keeps one in its data directory, where the commands must find it.
  const server = await startBulkfillServer({ ROWPRESS_SEAL_KEY: '' });
  const checkout = await mkdtemp(join(tmpdir(), 'rp-readme-'));
  onTestFinished(async () => {
    await server.stop();
    await rm(checkout, { recursive: true });
  });
  await symlink(join(root, 'bin'), join(checkout, 'bin'));
  await cp(join(root, 'examples'), join(checkout, 'examples'), { recursive: true });
  await symlink(server.env.ROWPRESS_DATA_DIR ?? '', join(checkout, 'data'));
  const { DATABASE_URL = '' } = server.env;
  const again = `${create}\ncat /tmp/job.json`;
  const steps = [
    quickStart,
    'cat /tmp/job.json',
    again,
    'echo Dora,D-4 >> examples/01-fill-a-form/rows.csv',
    again,
    fill,
  ];
  const script = [hasUnzip ? '' : 'unzip() { :; }', ...steps].join('\necho; echo ====\n');
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-eu', '-c', script.replaceAll('http://127.0.0.1:8080', server.url).replaceAll('/tmp/', `${checkout}/`)],
    { cwd: checkout, env: { PATH: process.env.PATH ?? '', DATABASE_URL } },
  );
  const [, listing, first = '', replay, , conflict = ''] = stdout
    .split('\n====\n')
    .map((text) => text.trim());
  if (hasUnzip) expect(listing).toMatch(/\.pdf[\s\S]*\.pdf[\s\S]*\.pdf[\s\S]*manifest\.json[\s\S]*4 files/);
  expect(JSON.parse(first)).toMatchObject({
    job_id: expect.any(String),
    status: 'completed',
    result: { download_url: expect.stringMatching(/^\/v1\/bulkfill\//) },
  });
  expect(replay).toBe(first);
  expect(JSON.parse(conflict)).toMatchObject({
    code: 'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH',
    differs_in: ['rows'],
  });
  const rowsIn = async (name: string) => openArchive(await readFile(join(checkout, name))).manifest.summary;
  expect(await rowsIn('filled.zip')).toMatchObject({ success_rows: 3 });
  expect(await rowsIn('out.zip')).toMatchObject({ success_rows: 4 });
});
