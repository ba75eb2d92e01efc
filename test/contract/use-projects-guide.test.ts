import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startBulkfillServer } from '../support/bulkfill-server.ts';
import { rowpressJson } from '../support/cli.ts';
import { openArchive } from '../support/fill-cli.ts';
import { pageTexts } from '../support/read-pdf.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/use-projects.md'), 'utf8');
const hasCurl = spawnSync('curl', ['--version']).status === 0;

test.skipIf(!hasCurl)(
  '[BF130] [BF134] [BF143] [BF145] [BF149] the commands of the guide: do what it says',
  async () => {
    const server = await startBulkfillServer();
    const cwd = await mkdtemp(join(tmpdir(), 'rp-guide-'));
    onTestFinished(async () => {
      await server.stop();
      await rm(cwd, { recursive: true });
    });
    const example = join(root, 'examples/01-fill-a-form');
    for (const name of ['form.pdf', 'layout.json']) await cp(join(example, name), join(cwd, name));
    const order = ['keys', 'create', '--surface', 'bulkfill', '--account', 'acme', '--seal'];
    const { key } = await rowpressJson<{ key: string }>(order, server.env);

    const blocks = [...guide.matchAll(/<!-- run -->\s+```sh\n(?<code>[\s\S]*?)```/g)];
    const script = blocks.map(({ groups }) => `${groups?.code}\necho; echo ====`).join('\n');
    const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
    const env = { PATH, ROWPRESS_URL: server.url, ROWPRESS_KEY: key };
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], { cwd, env, timeout: 90_000 });
    const [made = '', sealed = '', schema = '', job = '', saved = '', replayed = '', deleted = ''] = stdout
      .split('\n====\n')
      .map((text) => text.trim());

    expect(JSON.parse(made)).toMatchObject({ name: 'Certificate', version: 1, page_count: 1 });
    expect(JSON.parse(sealed)).toMatchObject({ name: 'Certificate (sealed)', version: 1 });
    expect(JSON.parse(schema)).toMatchObject({
      title: 'Certificate',
      required: expect.arrayContaining(['Name']),
    });
    expect(await readFile(join(cwd, 'sample.csv'), 'utf8')).toMatch(/^Name,/);
    expect((await readFile(join(cwd, 'page.png'))).toString('latin1', 1, 4)).toBe('PNG');
    const { job_id, status } = JSON.parse(job);
    expect(status).toBe('completed');
    const { files, manifest } = openArchive(await readFile(join(cwd, 'certificates.zip')));
    expect(manifest.summary).toMatchObject({ success_rows: 2 });
    expect((await pageTexts(files['row_2.pdf'] ?? new Uint8Array()))[0]).toContain('Grace Hopper');
    const [second = '', late = '', versions = ''] = saved.split('\n');
    expect(JSON.parse(second)).toMatchObject({ name: 'Certificate of attendance', version: 2 });
    expect(JSON.parse(late)).toMatchObject({ code: 'PRECONDITION_FAILED' });
    expect(JSON.parse(versions)).toMatchObject({ data: [{ version: 2 }, { version: 1 }] });
    expect(replayed.split('\n')).toEqual([job_id, job_id]);
    expect(deleted.split('\n')).toEqual(['204', job_id]);
  },
);
