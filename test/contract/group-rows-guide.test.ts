import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startBulkfillServer } from '../support/bulkfill-server.ts';
import { openArchive, sha256 } from '../support/fill-cli.ts';
import { pageTexts } from '../support/read-pdf.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/group-rows.md'), 'utf8');
const hasCurl = spawnSync('curl', ['--version']).status === 0;

test.skipIf(!hasCurl)('[BF200] [BF206] the commands of the guide: make the same invoices', async () => {
  const server = await startBulkfillServer();
  const { key } = await server.account();
  const cwd = await mkdtemp(join(tmpdir(), 'rp-guide-'));
  onTestFinished(async () => {
    await server.stop();
    await rm(cwd, { recursive: true });
  });
  for (const name of ['invoice.pdf', 'layout.json', 'items.csv'])
    await cp(join(root, 'examples/invoices', name), join(cwd, name));

  const blocks = [...guide.matchAll(/<!-- run -->\s+```sh\n(?<code>[\s\S]*?)```/g)];
  const script = [`rowpress() { '${root}/bin/rowpress' "$@"; }`, ...blocks.map(({ groups }) => groups?.code)];
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const { ROWPRESS_SEAL_KEY = '', ROWPRESS_DATA_DIR = '' } = server.env;
  const env = { PATH, ROWPRESS_URL: server.url, ROWPRESS_KEY: key, ROWPRESS_SEAL_KEY, ROWPRESS_DATA_DIR };
  await promisify(execFile)('sh', ['-eu', '-c', script.join('\n')], { cwd, env, timeout: 90_000 });

  const alone = openArchive(await readFile(join(cwd, 'invoices.zip'))).files;
  const { files, manifest } = openArchive(await readFile(join(cwd, 'server.zip')));
  const names = ['group_1_R-1001.pdf', 'group_2_R-1002.pdf', 'group_3_R-1003.pdf'];
  expect(Object.keys(files)).toEqual([...names, 'manifest.json']);
  for (const name of names) expect(sha256(files[name])).toBe(sha256(alone[name]));
  const pages = await pageTexts(files['group_2_R-1002.pdf'] ?? new Uint8Array());
  expect(pages).toHaveLength(3);
  expect(pages[2]).toMatch(/Total\s+1,351\s+9,542\.75/);
  expect(JSON.parse(await readFile(join(cwd, 'manifest.json'), 'utf8'))).toEqual(manifest);
  expect(manifest).toMatchObject({ rows: 3, input_rows: 81 });
});
