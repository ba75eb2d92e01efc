import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillClient, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { letterPdf } from '../support/bulkfill-server.ts';
import { box, fillArguments, layoutOf, openArchive, sha256 } from '../support/fill-cli.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';

const TEMPLATE = 'Dear **{{column_0}}**, *pay* __{{column_1}}__ by [Friday](#c00)\\*';
const overlay = (more: object = {}) => ({
  ...{ id: 'letter', type: 'text', ...box, width: 400, height: 60, value: { template: TEMPLATE } },
  ...more,
});
const rows = [
  { column_0: 'Ann Lee', column_1: '12.50' },
  { column_0: '**Bob** [Roe](#00f) \\*', column_1: '__7__' },
];

let scene: Scene;
let client: BulkfillClient;
let sandbox: CliSandbox;
beforeAll(async () => {
  scene = await openScene({ layout: layoutOf([overlay({ markup: true })]) });
  client = scene.client;
  sandbox = await cliSandbox();
  await sandbox.write('source.pdf', letterPdf);
  await sandbox.write('rows.json', rows);
});
afterAll(async () => {
  await scene.server.stop();
  await sandbox.remove();
});

/** Without spaces: the reader puts one between two fonts. */
const textOf = async (pdf: Uint8Array) => ((await pageTexts(pdf))[0] ?? '').replaceAll(/\s+/g, '');

describe('texts with markup', () => {
  it('[FILL290] [FILL291] a package with markup: the server and `rowpress fill` make the same bytes, and values are literal', async () => {
    await sandbox.write('letter.doqlo', client.usual.doqlo_file as Uint8Array);
    const { body: job } = await client.create({ rows_json: rowsJson(rows) });
    const letter = fillArguments('letter.doqlo', 'rows.json');
    const env = { ROWPRESS_SEAL_KEY: scene.server.env.ROWPRESS_SEAL_KEY ?? '' };
    const strict = ['--max-failed-row-percent', '0', '--timestamp', job.created_at];
    const run = await sandbox.run([...letter, ...strict, '-o', 'out.zip'], env);
    expect([run.status, run.stdout]).toEqual([0, '']);
    const ours = await client.archive(job.job_id);
    const theirs = openArchive(await sandbox.read('out.zip'));
    expect(ours.manifest).toEqual(theirs.manifest);
    expect(sha256(ours.bytes)).toBe(sha256(theirs.bytes));
    expect(ours.manifest.row_results).toMatchObject([{ status: 'success' }, { status: 'success' }]);

    const url = `/v1/bulkfill/export-jobs/${job.job_id}/rows/2.pdf`;
    const row = new Uint8Array(await (await client.fetch(url)).arrayBuffer());
    const preview = await sandbox.run([...letter, '--preview', '2', '-o', 'row.pdf'], env);
    expect(preview.status).toBe(0);
    expect(sha256(row)).toBe(sha256(await sandbox.read('row.pdf')));
    expect(sha256(row)).toBe(sha256(ours.files['row_2.pdf']));
    expect(await textOf(ours.files['row_1.pdf'] ?? new Uint8Array())).toContain(
      'DearAnnLee,pay12.50byFriday*',
    );
    expect(await textOf(row)).toContain('Dear**Bob**[Roe](#00f)\\*,pay__7__byFriday*');
  });

  it('[FILL295] the same layout without markup: the marks of the template are drawn', async () => {
    await sandbox.write('plain.json', layoutOf([overlay()]));
    const plain = fillArguments('plain.json', 'rows.json', '--preview', '1', '-o', 'plain.pdf');
    expect((await sandbox.run(plain)).status).toBe(0);
    expect(await textOf(await sandbox.read('plain.pdf'))).toContain(
      'Dear**AnnLee**,*pay*__12.50__by[Friday](#c00)\\*',
    );
  });
});
