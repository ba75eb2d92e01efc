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
import { saveProject } from '../support/projects.ts';
import { pageTexts } from '../support/read-pdf.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/prove-documents.md'), 'utf8');
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const layout = layoutOf([{ id: 'name', type: 'text', ...box, value: { column: 'column_0' } }], {
  columns: [{ key: 'column_0', label: 'Name' }],
});
const diploma = layoutOf(
  [
    { id: 'name', type: 'text', ...box, value: { column: 'column_0' } },
    { id: 'address', type: 'text', ...box, y: 200, width: 480, value: { column: 'column_1' } },
  ],
  {
    columns: [
      { key: 'column_0', label: 'Name' },
      { key: 'column_1', label: 'Verify' },
    ],
  },
);

test.skipIf(!hasCurl)(
  '[BF220] [BF235] [FILL281] [SEC25] [SEC26] [SEC30] the commands of the guide: sign a ZIP, verify it with the published key, and issue documents that can be verified',
  async () => {
    const server = await startBulkfillServer({
      ROWPRESS_VERIFY: 'true',
      ROWPRESS_PUBLIC_URL: 'https://forms.example.com',
    });
    const account = await server.account();
    const cwd = await mkdtemp(join(tmpdir(), 'rp-guide-'));
    onTestFinished(async () => {
      await server.stop();
      await rm(cwd, { recursive: true });
    });
    const doqlo_file = await seal(layout, letterPdf);
    await writeFile(join(cwd, 'certificate.pdf'), letterPdf);
    await writeFile(join(cwd, 'certificate.doqlo'), doqlo_file);
    await writeFile(join(cwd, 'people.csv'), 'Name\nAnn Lee\nBob Roe\n');
    const projects = { Certificate: doqlo_file, Diploma: await seal(diploma, letterPdf) };
    for (const [name, sealed] of Object.entries(projects))
      await saveProject(
        new BulkfillClient(server, account, {}),
        '/v1/bulkfill/projects',
        { name, pdf: letterPdf, doqlo_file: sealed },
        { method: 'POST', headers: { 'idempotency-key': name } },
      );

    const blocks = [...guide.matchAll(/<!-- run -->\s+```sh\n(?<code>[\s\S]*?)```/g)].map(
      ({ groups }) => groups?.code ?? '',
    );
    expect(blocks).toHaveLength(5);
    const { ROWPRESS_SEAL_KEY, ROWPRESS_DATA_DIR } = server.env;
    const env = {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      ROWPRESS_URL: server.url,
      ROWPRESS_KEY: account.key,
      ROWPRESS_SEAL_KEY,
      ROWPRESS_DATA_DIR,
    };
    const command = `rowpress() { '${root}/bin/rowpress' "$@"; }`;
    const run = (...codes: string[]) =>
      promisify(execFile)('sh', ['-eu', '-c', [command, ...codes].join('\n')], { cwd, env, timeout: 90_000 });
    const { stdout } = await run(...blocks);
    expect(stdout).toMatch(/certificates\.zip is intact: 2 PDFs of 2 rows verified/);
    expect(stdout).toContain('a key of --key');
    for (const name of ['certificates.zip', 'local.zip'])
      expect(Object.keys(openArchive(await readFile(join(cwd, name))).files)).toContain('manifest.sig');

    const { files } = openArchive(await readFile(join(cwd, 'diplomas.zip')));
    const [shown = ''] = await pageTexts(files['row_1.pdf'] ?? new Uint8Array());
    const [path = ''] = /(?<=https:\/\/forms\.example\.com)\/v\/[0-9a-f]{32}/.exec(shown) ?? [];
    const verified = await fetch(server.url + path);
    expect([verified.status, await verified.json()]).toMatchObject([200, { project: 'Diploma' }]);

    const verify = blocks.find((block) => block.startsWith('rowpress verify')) ?? '';
    const local = await run(verify.replace('certificates.zip', 'local.zip'));
    expect(local.stdout).toContain('a key of --key');
    await writeFile(join(cwd, 'seals.json'), `${'00'.repeat(32)}\n`);
    await expect(run(verify)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('signed by another key'),
    });
  },
);
