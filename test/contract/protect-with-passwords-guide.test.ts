import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { BulkfillClient } from '../support/bulkfill-client.ts';
import { letterPdf, seal, startBulkfillServer } from '../support/bulkfill-server.ts';
import { box, layoutOf, openArchive } from '../support/fill-cli.ts';
import { pageTexts } from '../support/read-pdf.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/protect-with-passwords.md'), 'utf8');
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const layout = layoutOf([{ id: 'name', type: 'text', ...box, value: { column: 'column_0' } }], {
  columns: [
    { key: 'column_0', label: 'Name' },
    { key: 'column_1', label: 'Date of birth' },
  ],
});

test.skipIf(!hasCurl)(
  '[BF180] [FILL253] the commands of the guide: each PDF opens with the password of its row',
  async () => {
    const server = await startBulkfillServer();
    const account = await server.account();
    const cwd = await mkdtemp(join(tmpdir(), 'rp-guide-'));
    onTestFinished(async () => {
      await server.stop();
      await rm(cwd, { recursive: true });
    });
    const sealed = await seal(layout, letterPdf);
    await writeFile(join(cwd, 'payslip.pdf'), letterPdf);
    await writeFile(join(cwd, 'payslip.doqlo'), sealed);
    await writeFile(join(cwd, 'people.csv'), 'Name,Date of birth\nAnn Lee,1990-04-01\nBob Roe,1985-12-24\n');
    const client = new BulkfillClient(server, account, {});
    const form = new FormData();
    form.append('name', 'Payslip');
    form.append('pdf', new Blob([letterPdf as Uint8Array<ArrayBuffer>]), 'payslip.pdf');
    form.append('doqlo_file', new Blob([sealed as Uint8Array<ArrayBuffer>]), 'payslip.doqlo');
    const headers = { 'idempotency-key': 'payslip' };
    const saved = await client.request('/v1/bulkfill/projects', { method: 'POST', body: form, headers });
    expect(saved.status).toBe(201);

    const blocks = [...guide.matchAll(/<!-- run -->\s+```sh\n(?<code>[\s\S]*?)```/g)];
    expect(blocks).toHaveLength(3);
    const script = [
      `rowpress() { '${root}/bin/rowpress' "$@"; }`,
      ...blocks.map(({ groups }) => `${groups?.code}\necho`),
    ];
    const { ROWPRESS_SEAL_KEY, ROWPRESS_DATA_DIR, ROWPRESS_SECRET_KEY } = server.env;
    const env = {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      ROWPRESS_URL: server.url,
      ROWPRESS_KEY: account.key,
      ROWPRESS_SEAL_KEY,
      ROWPRESS_DATA_DIR,
      ...(ROWPRESS_SECRET_KEY !== undefined && { ROWPRESS_SECRET_KEY }),
    };
    const run = promisify(execFile);
    const { stdout } = await run('sh', ['-eu', '-c', script.join('\n')], { cwd, env, timeout: 90_000 });
    const jobs = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    expect(jobs.map(({ status }) => status)).toEqual(['completed', 'completed']);

    const birthdays = { 'Ann Lee': '1990-04-01', 'Bob Roe': '1985-12-24' };
    const archives = [
      openArchive(await readFile(join(cwd, 'payslips.zip'))),
      ...(await Promise.all(jobs.map(({ job_id }) => client.archive(job_id)))),
    ];
    for (const { files } of archives) {
      const pdfs = Object.entries(files).filter(([name]) => name.endsWith('.pdf'));
      for (const [[, bytes], [name, birthday]] of pdfs.map(
        (pdf, index) => [pdf, Object.entries(birthdays)[index] ?? ['', '']] as const,
      )) {
        expect((await pageTexts(bytes, birthday))[0]).toContain(name);
        await expect(pageTexts(bytes)).rejects.toThrow(/password/i);
      }
    }
    expect(archives.map(({ files }) => Object.keys(files).length - 1)).toEqual([2, 2, 1]);
  },
);
