import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { seal, startBulkfillServer } from '../support/bulkfill-server.ts';
import { openArchive, sha256 } from '../support/fill-cli.ts';
import { pageTexts } from '../support/read-pdf.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/make-one-pdf.md'), 'utf8');
const hasCurl = spawnSync('curl', ['--version']).status === 0;

test.skipIf(!hasCurl)(
  '[BF170] [BF172] [BF174] [BF179] the commands of the guide: make the same PDF of all rows',
  async () => {
    const server = await startBulkfillServer();
    const { key } = await server.account();
    const cwd = await mkdtemp(join(tmpdir(), 'rp-guide-'));
    onTestFinished(async () => {
      await server.stop();
      await rm(cwd, { recursive: true });
    });
    const example = join(root, 'examples/01-fill-a-form');
    for (const name of ['form.pdf', 'layout.json', 'rows.csv'])
      await cp(join(example, name), join(cwd, name));
    const layout = layoutSchema.parse(JSON.parse(await readFile(join(cwd, 'layout.json'), 'utf8')));
    await writeFile(join(cwd, 'form.doqlo'), await seal(layout, await readFile(join(cwd, 'form.pdf'))));

    const blocks = [...guide.matchAll(/<!-- run -->\s+```sh\n(?<code>[\s\S]*?)```/g)];
    const script = [
      `rowpress() { '${root}/bin/rowpress' "$@"; }`,
      ...blocks.map(({ groups }) => groups?.code),
    ];
    const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
    const env = { PATH, ROWPRESS_URL: server.url, ROWPRESS_KEY: key };
    await promisify(execFile)('sh', ['-eu', '-c', script.join('\n')], { cwd, env, timeout: 90_000 });

    const all = await readFile(join(cwd, 'all.pdf'));
    expect(await pageTexts(all)).toHaveLength(3);
    expect(sha256(await readFile(join(cwd, 'alone.pdf')))).toBe(sha256(all));
    const labels = await readFile(join(cwd, 'labels.pdf'));
    expect(await pageTexts(labels)).toHaveLength(1);
    expect(sha256(await readFile(join(cwd, 'alone-labels.pdf')))).toBe(sha256(labels));
    expect(await readFile(join(cwd, 'sheets.json'), 'utf8')).toContain('"avery-l7160"');
    const { files } = openArchive(await readFile(join(cwd, 'all.zip')));
    expect(Object.keys(files)).toHaveLength(3 + 2);
    expect(sha256(files['merged.pdf'])).toBe(sha256(all));
  },
);
