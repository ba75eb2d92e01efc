import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { type BulkfillServer, seal, startBulkfillServer } from '../support/bulkfill-server.ts';
import { ROWPRESS } from '../support/cli.ts';
import { openArchive } from '../support/fill-cli.ts';
import { sourcePdf } from '../support/source-pdf.ts';

const root = join(import.meta.dirname, '../..');
let server: BulkfillServer;
beforeAll(async () => {
  server = await startBulkfillServer();
});
afterAll(() => server.stop());

/** An empty folder in which the commands of a guide run, as in a shell. */
async function guideFolder() {
  const cwd = await mkdtemp(join(tmpdir(), 'rp-guide-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const { key } = await server.account();
  const env = {
    PATH: `${dirname(ROWPRESS)}:${process.env.PATH}`,
    ROWPRESS_SERVER: server.url,
    ROWPRESS_API_KEY: key,
  };
  return {
    cwd,
    manifest: async (name: string) => openArchive(await readFile(join(cwd, name))).manifest,
    /** Runs the blocks of a guide. Listing a ZIP is for people. */
    run: async (name: string) => {
      const guide = readFileSync(join(root, `docs/guides/${name}.md`), 'utf8');
      const blocks = [...guide.matchAll(/<!-- run -->\s+```sh\n(?<code>[\s\S]*?)```/g)];
      const script = ['unzip() { :; }', ...blocks.map(({ groups }) => groups?.code)].join('\necho ====\n');
      const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], { cwd, env });
      return stdout.split('====\n').slice(1);
    },
  };
}

async function withForm(cwd: string): Promise<void> {
  const example = join(root, 'examples/01-fill-a-form');
  for (const name of ['form.pdf', 'rows.csv']) await cp(join(example, name), join(cwd, name));
  const layout = layoutSchema.parse(JSON.parse(await readFile(join(example, 'layout.json'), 'utf8')));
  await writeFile(join(cwd, 'form.doqlo'), await seal(layout, await readFile(join(cwd, 'form.pdf'))));
}

test('[OPS70] [OPS71] [OPS72] the guide "fill PDFs from a program": ends with all rows on disk', async () => {
  const { cwd, run, manifest } = await guideFolder();
  await withForm(cwd);
  const [, checked, , , verified] = await run('fill-from-a-program');
  expect(checked).toMatch(/^2 +failed +ROW_VALUE_INVALID +Name/m);
  expect(verified).toContain('out.zip is intact: 2 PDFs of 3 rows');
  expect(verified).toContain('"verified":1');
  const job = JSON.parse(await readFile(join(cwd, 'job.json'), 'utf8'));
  expect(job.problem_rows).toMatchObject([{ row_number: 2, column_label: 'Name' }]);
  expect((await manifest('out.zip')).summary).toMatchObject({ success_rows: 2, failed_rows: 1 });
  expect((await manifest('rest.zip')).row_results).toMatchObject([
    { source_row_number: 2, status: 'success' },
  ]);
});

test('[OPS72] [BF84] the guide "choose how to wait for a job": polling and waiting end with the same files', async () => {
  const { cwd, run, manifest } = await guideFolder();
  await withForm(cwd);
  await run('wait-for-a-job');
  for (const name of ['polled.zip', 'waited.zip'])
    expect((await manifest(name)).summary).toMatchObject({ success_rows: 3 });
});

test('[FILL102] [OPS60] the guide "move from a script": fills the fields of a form by their names', async () => {
  const { cwd, run, manifest } = await guideFolder();
  const text = (name: string, y: number) => ({ name, kind: 'text', rects: [[50, y, 250, y + 20]] }) as const;
  const pdf = sourcePdf({ fields: [text('full_name', 600), text('city', 560)] });
  await writeFile(join(cwd, 'application.pdf'), pdf);
  const output = await run('move-from-a-script');
  expect(output.at(-1)).toContain('2 PDFs of 2 rows');
  const { row_results } = await manifest('filled.zip');
  expect(row_results).toMatchObject([
    { file_name: 'row_1_Alice Nguyen.pdf', status: 'success', applied_overlay_count: 2 },
    { file_name: 'row_2_Bruno García.pdf', status: 'success', applied_overlay_count: 2 },
  ]);
});
