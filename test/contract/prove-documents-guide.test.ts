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

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/prove-documents.md'), 'utf8');
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const layout = layoutOf([{ id: 'name', type: 'text', ...box, value: { column: 'column_0' } }], {
  columns: [{ key: 'column_0', label: 'Name' }],
});

test.skipIf(!hasCurl)(
  '[BF220] [FILL281] [SEC25] [SEC26] the commands of the guide: sign a ZIP, and verify it with the published key',
  async () => {
    const server = await startBulkfillServer();
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
    await saveProject(
      new BulkfillClient(server, account, {}),
      '/v1/bulkfill/projects',
      { name: 'Certificate', pdf: letterPdf, doqlo_file },
      { method: 'POST', headers: { 'idempotency-key': 'certificate' } },
    );

    const blocks = [...guide.matchAll(/<!-- run -->\s+```sh\n(?<code>[\s\S]*?)```/g)].map(
      ({ groups }) => groups?.code ?? '',
    );
    expect(blocks).toHaveLength(4);
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

    const verify = blocks.at(-1) ?? '';
    const local = await run(verify.replace('certificates.zip', 'local.zip'));
    expect(local.stdout).toContain('a key of --key');
    await writeFile(join(cwd, 'seals.json'), `${'00'.repeat(32)}\n`);
    await expect(run(verify)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('signed by another key'),
    });
  },
);
