import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillClient, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { seal } from '../support/bulkfill-server.ts';
import { box, fillArguments, layoutOf, openArchive, sha256 } from '../support/fill-cli.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { cliSandbox } from '../support/run-cli.ts';
import { sourcePdf } from '../support/source-pdf.ts';

const pdf = sourcePdf({
  pages: [{}],
  fields: [{ name: 'employee', kind: 'text', rects: [[72, 600, 300, 620]] }],
});
const layout = layoutOf(
  [
    { id: 'name', type: 'text', ...box, value: { column: 'column_0' } },
    { id: 'code', type: 'qr', ...box, x: 400, width: 90, height: 90, value: { column: 'column_1' } },
    { id: 'bad', type: 'barcode', symbology: 'ean13', ...box, y: 300, value: { static: 'not a number' } },
    { id: 'mark', type: 'sticker', ...box, y: 500, label: 'sign here' },
  ],
  { form_fields: [{ id: 'f', field: 'employee', value: { column: 'column_0' } }] },
);
const plain = layoutOf([
  { id: 'name', type: 'text', ...box, value: { column: 'column_0' } },
  { id: 'code', type: 'qr', ...box, x: 400, width: 90, height: 90, value: { column: 'column_1' } },
]);

let scene: Scene;
let client: BulkfillClient;
beforeAll(async () => {
  scene = await openScene({ pdf, layout: plain });
  client = scene.client;
});
afterAll(() => scene.server.stop());

const rows = [
  { column_0: 'Ada', column_1: 'REF-1' },
  { column_0: 'Bob', column_1: '' },
  { column_0: {}, column_1: 'REF-3' },
  { column_0: 'Dan', column_1: 'REF-4' },
];
const fields = { rows_json: rowsJson(rows), max_failed_row_percent: '50' };

describe('the archive', () => {
  it('[BF66][BF67][BF68] an archive: one PDF per produced row, and a manifest whose digests match', async () => {
    const { body: job } = await client.create(fields);
    const { files, manifest } = await client.archive(job.job_id);
    expect(Object.keys(files)).toEqual(['row_1.pdf', 'row_2.pdf', 'row_4.pdf', 'manifest.json']);
    expect(Object.keys(manifest)).toEqual([
      'version',
      'engine',
      'rows',
      'timestamp',
      'source',
      'options',
      'summary',
      'warnings',
      'row_results',
    ]);
    expect(manifest).toMatchObject({
      version: 2,
      rows: 4,
      timestamp: job.created_at,
      summary: {
        produced_rows: 3,
        success_rows: 2,
        partial_rows: 1,
        failed_rows: 1,
        applied_overlay_count: 5,
        skipped_overlay_count: 1,
      },
      warnings: [],
    });
    expect(manifest.source).toEqual({
      pdf_sha256: sha256(pdf),
      page_count: 1,
      package_sha256: sha256(client.usual.doqlo_file as Uint8Array),
    });
    expect(manifest.row_results.map(({ status }) => status)).toEqual([
      'success',
      'partial',
      'failed',
      'success',
    ]);
    for (const row of manifest.row_results) {
      expect(Object.keys(row)).toEqual([
        'row_number',
        'status',
        'file_name',
        'applied_overlay_count',
        'skipped_overlay_count',
        'warnings',
        'error',
        'sha256',
      ]);
      if (row.file_name !== null) expect(row.sha256).toBe(sha256(files[row.file_name]));
    }
    expect(manifest.row_results[1]?.warnings).toMatchObject([
      { code: 'CODE_VALUE_BLANK', overlay_id: 'code' },
    ]);
    expect(manifest.row_results[2]).toMatchObject({
      file_name: null,
      sha256: null,
      applied_overlay_count: 0,
      error: { code: 'ROW_VALUE_INVALID' },
    });
  });

  it('[BF71] the same input to `rowpress fill`: the same archive, byte for byte', async () => {
    const sandbox = await cliSandbox();
    try {
      await sandbox.write('source.pdf', pdf);
      await sandbox.write('layout.doqlo', client.usual.doqlo_file as Uint8Array);
      await sandbox.write('rows.json', rows);
      const { body: job } = await client.create({
        ...fields,
        filename_columns: '["column_0"]',
        flatten_forms: 'true',
      });
      const run = await sandbox.run(
        [
          ...fillArguments('layout.doqlo', 'rows.json', '-o', 'out.zip'),
          ...[
            '--timestamp',
            job.created_at,
            '--max-failed-row-percent',
            '50',
            '--filename-columns',
            'column_0',
          ],
          ...['--flatten-forms', '--json'],
        ],
        { ROWPRESS_SEAL_KEY: scene.server.env.ROWPRESS_SEAL_KEY ?? '' },
      );
      expect([run.status, run.stderr]).toEqual([0, expect.any(String)]);
      const ours = await client.archive(job.job_id);
      const theirs = openArchive(await sandbox.read('out.zip'));
      expect(ours.manifest).toEqual(theirs.manifest);
      expect(sha256(ours.bytes)).toBe(sha256(theirs.bytes));
    } finally {
      await sandbox.remove();
    }
  });

  it('[BF69] file names: row number and chosen columns, in safe characters', async () => {
    const named = [
      { column_0: 'Żółć, J. R.', column_1: 'A' },
      { column_0: 'a/b\\c"d:e', column_1: 'B' },
      { column_0: '', column_1: '../../etc' },
      { column_0: 'x'.repeat(80), column_1: 'CON' },
    ];
    const { body } = await client.create({
      rows_json: rowsJson(named),
      filename_columns: '["column_0","nothing","column_1"]',
    });
    const { files, manifest } = await client.archive(body.job_id);
    const names = manifest.row_results.map(({ file_name }) => file_name);
    expect(names).toEqual([
      'row_1_Żółć, J. R._A.pdf',
      'row_2_a-b-c-d-e_B.pdf',
      'row_3_..-..-etc.pdf',
      `row_4_${'x'.repeat(60)}_CON.pdf`,
    ]);
    expect(Object.keys(files)).toEqual([...names, 'manifest.json']);
  });

  it('[BF29] a PDF that differs from the sealed one: the manifest lists the differences only', async () => {
    const same = sourcePdf({
      pages: [{ text: 'another edition' }],
      fields: [{ name: 'employee', kind: 'text', rects: [[72, 600, 300, 620]] }],
    });
    const edition = await client.create({ ...fields, pdf: same });
    expect((await client.archive(edition.body.job_id)).manifest.warnings).toMatchObject([
      { code: 'PDF_FINGERPRINT_CHANGED' },
    ]);
    const turned = sourcePdf({ pages: [{ rotate: 90, cropBox: [0, 0, 500, 700] }, {}] });
    const other = await client.create({ ...fields, pdf: turned });
    const codes = (await client.archive(other.body.job_id)).manifest.warnings.map(({ code }) => code);
    expect(codes).toEqual(
      expect.arrayContaining([
        'PDF_FINGERPRINT_CHANGED',
        'PAGE_COUNT_CHANGED',
        'PAGE_SIZE_CHANGED',
        'PAGE_ROTATION_CHANGED',
      ]),
    );
  });

  it('[BF68][BF70] codes that cannot be drawn: skipped; stickers and forms follow their options', async () => {
    const doqlo_file = await seal(layout, pdf);
    const one = { doqlo_file, rows_json: rowsJson([{ column_0: 'Ada', column_1: 'R' }]) };
    const [bare, full] = await Promise.all([
      client.create(one),
      client.create({ ...one, include_stickers: 'true', flatten_forms: 'true' }),
    ]);
    const results = await Promise.all([bare, full].map(({ body }) => client.archive(body.job_id)));
    const [without, withAll] = results;
    expect(without?.manifest.row_results[0]).toMatchObject({
      status: 'partial',
      applied_overlay_count: 3,
      skipped_overlay_count: 1,
      warnings: [{ code: 'CODE_STATIC_INVALID', overlay_id: 'bad' }],
    });
    expect(withAll?.manifest.row_results[0]).toMatchObject({
      applied_overlay_count: 4,
      skipped_overlay_count: 1,
    });
    const fieldsOf = (pdfBytes: Uint8Array | undefined) =>
      Buffer.from(pdfBytes ?? []).includes('/Subtype/Widget') ||
      Buffer.from(pdfBytes ?? []).includes('/Widget');
    expect(results.map(({ files }) => fieldsOf(files['row_1.pdf']))).toEqual([true, false]);
    const texts = await Promise.all(
      results.map(async ({ files }) => (await pageTexts(files['row_1.pdf'] ?? new Uint8Array()))[0]),
    );
    expect(texts[0]).not.toContain('sign here');
    expect(texts[1]).toContain('sign here');
  });
});
