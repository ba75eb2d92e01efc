import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BulkfillServer, startBulkfillServer } from '../support/bulkfill-server.ts';
import { openArchive } from '../support/fill-cli.ts';
import { folderWith, hasPython } from '../support/python.ts';
import { pageTexts, readFields } from '../support/read-pdf.ts';
import { renderByPdfium } from '../support/renderings.ts';
import { scanPicture } from '../support/scan-code.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

describe.skipIf(!hasPython)('the examples in Python', () => {
  let server: BulkfillServer;
  let out: Awaited<ReturnType<typeof folderWith>>;
  beforeAll(async () => {
    server = await startBulkfillServer();
    out = await folderWith({});
  });
  afterAll(async () => {
    await server.stop();
    await out.remove();
  });

  /** Runs the commands of the example's README after the keys, as printed except for the folder of the results. */
  async function example(name: string): Promise<string> {
    const readme = await readFile(join(root, 'examples', name, 'README.md'), 'utf8');
    const block = /```sh\n(?<commands>[\s\S]*?)```/.exec(readme)?.groups?.commands ?? '';
    const commands = block.slice(block.indexOf('export PYTHONPATH')).replaceAll('/tmp/', `${out.path}/`);
    const account = `example-${name}`;
    const keyOf = async (surface: string, scopes?: readonly string[]) =>
      (await server.account({ name: account, surface, scopes })).key;
    const { stdout, stderr } = await run('sh', ['-eu', '-c', commands], {
      cwd: root,
      env: {
        PATH: `/usr/bin:${process.env.PATH}`,
        PYTHONDONTWRITEBYTECODE: '1',
        ROWPRESS_URL: server.url,
        ROWPRESS_SEAL_KEY: server.env.ROWPRESS_SEAL_KEY ?? '',
        ROWPRESS_DATA_DIR: server.env.ROWPRESS_DATA_DIR ?? '',
        BULKFILL_KEY: await keyOf('bulkfill', ['read:subscribers']),
        SUBSCRIBERS_KEY: await keyOf('subscribers'),
        INGEST_KEY: await keyOf('ingest'),
      },
    });
    expect(stderr.replace(/^sealed .*\n/, '')).toBe('');
    return stdout;
  }
  const archive = async (path: string) => openArchive(await readFile(join(out.path, path)));

  test('[SDK68] certificates: one PDF per person, and the same job for a second run', async () => {
    const names = ['Alice Nguyen', 'Bruno García', 'Łucja Wiśniewska', '王小明'];
    const lines = names.map((name, index) => `row_${index + 1}_${name}.pdf\n`).join('');
    expect(await example('certificates')).toContain(lines);
    const pdf = await readFile(join(out.path, 'certificates/row_3_Łucja Wiśniewska.pdf'));
    const [text = ''] = await pageTexts(pdf);
    for (const part of ['Łucja Wiśniewska', 'First aid at work', '9 October 2026'])
      expect(text).toContain(part);
    expect(await scanPicture(await renderByPdfium(pdf, 150))).toEqual([
      'QRCode: https://example.com/verify/2026-003',
    ]);
    const before = await readFile(join(out.path, 'certificates/certificates.zip'));
    await example('certificates');
    expect(before.equals(await readFile(join(out.path, 'certificates/certificates.zip')))).toBe(true);
  });

  test('[SDK68] shipping labels: a GS1-128 code per shipment; one shipment is quarantined', async () => {
    expect(await example('shipping-labels')).toContain(
      'quarantined 340123450000000048 parties.0.address_source_id',
    );
    const { files, manifest } = await archive('labels/labels.zip');
    expect(manifest.summary).toMatchObject({ success_rows: 3 });
    const label = files['row_2_340123450000000024.pdf'] ?? new Uint8Array();
    const [text = ''] = await pageTexts(label);
    for (const part of ['Café du Port', '13001 Marseille', 'FRANCE', 'SO-4712', '20 × Yeast, 1 kg'])
      expect(text).toContain(part);
    expect(await scanPicture(await renderByPdfium(label, 200))).toEqual(['Code128: (00)340123450000000024']);
  });

  test('[SDK68] permit form: native fields are filled, and the dry run names the option that does not exist', async () => {
    expect(await example('permit-form')).toContain('row 3, Zone: The field permit.zone has no such option');
    const { files, manifest } = await archive('permits/permits.zip');
    expect(manifest.summary).toMatchObject({ success_rows: 2, partial_rows: 1 });
    expect(await readFields(files['row_2_Jonas Berg.pdf'] ?? new Uint8Array())).toMatchObject({
      'applicant.name': 'Jonas Berg',
      'applicant.birth_date': '30.11.1990',
      'permit.zone': ['B - Harbour'],
    });
  });

  test('[SDK68] letters: one per active subscriber, with the rows of the server', async () => {
    const said = await example('letters');
    expect(said).toContain('3 imported, 1 failed\nline 4: This is not an email address.');
    const { files, manifest } = await archive('letters/letters.zip');
    expect(manifest.summary).toMatchObject({ success_rows: 3 });
    const letters = Object.keys(files).filter((name) => name.endsWith('.pdf'));
    expect(letters.map((name) => name.replace(/^row_\d_/, '')).sort()).toEqual([
      'Ada Lovelace.pdf',
      'Grace Hopper.pdf',
      'Katherine Johnson.pdf',
    ]);
    const ada = letters.find((name) => name.includes('Ada')) ?? '';
    expect((await pageTexts(files[ada] ?? new Uint8Array()))[0]).toContain('Dear Ada Lovelace,');
  });
});
