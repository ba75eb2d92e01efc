import { mkdir } from 'node:fs/promises';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillClient, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { letterPdf } from '../support/bulkfill-server.ts';
import { signedIn } from '../support/console-client.ts';
import { box, fill, fillArguments, layoutOf, runFill, sha256 } from '../support/fill-cli.ts';
import { jobDetails } from '../support/operator-views.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { quartersJpeg, turnedJpeg } from '../support/small-jpeg.ts';
import { smallPng } from '../support/small-png.ts';

const png = smallPng([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0], [0, 7]);
const zip = zipSync({ photos: { 'ada.jpg': turnedJpeg(quartersJpeg, 6), 'bob.png': png } });
const layout = layoutOf([
  { ...box, id: 'photo', type: 'image', value: { column: 'column_0' } },
  { ...box, id: 'sign', type: 'signature', y: 200, value: { column: 'column_1' } },
  { ...box, id: 'text', type: 'text', y: 300, value: { column: 'column_2' } },
]);
const rows = [
  { column_0: 'ada.jpg', column_1: 'bob.png', column_2: 'One' },
  { column_0: 'nobody.jpg', column_1: 'Bob', column_2: 'Two' },
  { column_1: 'photos/ada.jpg', column_2: 'Three' },
];

describe('assets_file', () => {
  let scene: Scene;
  let client: BulkfillClient;
  let sandbox: CliSandbox;
  beforeAll(async () => {
    scene = await openScene({ layout, env: { ROWPRESS_MAX_ASSETS_BYTES: '20000' } });
    client = scene.client;
    sandbox = await cliSandbox();
  });
  afterAll(async () => {
    await Promise.all([scene?.server.stop(), sandbox?.remove()]);
  });

  const create = (fields: object = {}, options: { key?: string } = {}) =>
    client.create({ rows_json: rowsJson(rows), assets_file: zip, ...fields }, options);

  it('[BF93] cells that name pictures of the ZIP: draw them; a name found nowhere is a warning', async () => {
    const { status, body } = await create();
    expect([status, body.status]).toEqual([200, 'completed']);
    const { manifest, files } = await client.archive(body.job_id);
    expect(manifest.row_results.map((row) => [row.status, row.warnings.map(({ code }) => code)])).toEqual([
      ['success', []],
      ['partial', ['IMAGE_MISSING']],
      ['success', []],
    ]);
    const first = Buffer.from(files['row_1.pdf'] ?? []);
    expect(first.includes(Buffer.from(quartersJpeg.subarray(2)))).toBe(true);
    const png1 = await client.fetch(`/v1/bulkfill/export-jobs/${body.job_id}/rows/1.png`);
    expect(png1.status).toBe(200);
  });

  it('[FILL145] rowpress fill with the ZIP or its folder: makes the bytes of the server', async () => {
    const { body } = await create();
    const served = await client.archive(body.job_id);
    await sandbox.write('pictures.zip', zip);
    await mkdir(sandbox.path('pictures/photos'), { recursive: true });
    await sandbox.write('pictures/photos/ada.jpg', turnedJpeg(quartersJpeg, 6));
    await sandbox.write('pictures/bob.png', png);
    for (const args of [
      ['--assets', 'pictures.zip'],
      ['--assets', 'pictures'],
      ['--assets', 'pictures.zip', '--threads', '2'],
    ]) {
      const made = await fill(sandbox, { pdf: letterPdf, layout, rows, args });
      for (const name of ['row_1.pdf', 'row_2.pdf', 'row_3.pdf'])
        expect(sha256(made.files[name]), `${args.join(' ')} ${name}`).toBe(sha256(served.files[name]));
    }
  });

  it('[FILL145] rowpress fill with pictures that cannot be used: exits 1 with INVALID_ASSETS', async () => {
    await sandbox.write('bad.zip', zipSync({ 'notes.txt': png.subarray(20) }));
    await sandbox.write('source.pdf', letterPdf);
    await sandbox.write('layout.json', layout);
    await sandbox.write('rows.json', rows);
    const run = await sandbox.run(
      fillArguments('layout.json', 'rows.json', '--assets', 'bad.zip', '-o', 'refused.zip', '--json'),
    );
    expect(run.status).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      code: 'INVALID_ASSETS',
      message: 'bad.zip cannot be used: "notes.txt" is neither a PNG nor a JPEG.',
    });
  });

  it.each([
    ['ROWPRESS_MAX_ASSETS_ENTRIES', '1', 'it has 3 entries; at most 1 are allowed'],
    ['ROWPRESS_MAX_ASSETS_ENTRY_BYTES', '50', '"photos/ada.jpg" is larger than 50 bytes'],
    ['ROWPRESS_MAX_ASSETS_BYTES', '90', 'it is larger than 90 bytes'],
  ])('[FILL145] rowpress fill with %s=%s: refuses more', async (setting, value, reason) => {
    await sandbox.write('pictures.zip', zip);
    const args = ['--assets', 'pictures.zip'];
    const run = await runFill(sandbox, { pdf: letterPdf, layout, rows, args, env: { [setting]: value } });
    expect([run.status, run.json()]).toEqual([
      1,
      { code: 'INVALID_ASSETS', message: `pictures.zip cannot be used: ${reason}.` },
    ]);
  });

  it('[BF94] the pictures: are part of the request and of the work', async () => {
    const key = 'assets-key';
    const first = await create({}, { key });
    expect((await create({}, { key })).body.job_id).toBe(first.body.job_id);
    const other = zipSync({ 'ada.jpg': quartersJpeg });
    for (const assets_file of [other, null]) {
      const { status, body } = await create({ assets_file }, { key });
      expect([status, body.code, body.differs_in]).toEqual([
        409,
        'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH',
        ['assets_file'],
      ]);
    }
    const without = await client.create({ rows_json: rowsJson(rows) }, { key: 'no-assets-key' });
    const added = await create({}, { key: 'no-assets-key' });
    expect([without.status, added.status, added.body.differs_in]).toEqual([200, 409, ['assets_file']]);
    const changed = await create({ assets_file: other });
    const statuses = (await client.archive(changed.body.job_id)).manifest.row_results;
    expect(statuses[0]?.warnings.map(({ code }) => code)).toEqual(['IMAGE_MISSING']);
  });

  it('[BF94] a dry run and a retry: use the pictures of the first request', async () => {
    const dry = await create({ dry_run: 'true' });
    expect((await client.archive(dry.body.job_id)).manifest.summary).toMatchObject({ partial_rows: 1 });
    const failing = await create({
      rows_json: rowsJson([rows[0], { column_2: {} }]),
      max_failed_row_percent: '100',
    });
    const retried = await client.request(`/v1/bulkfill/export-jobs/${failing.body.job_id}/retry`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'retry-with-assets' },
      body: JSON.stringify({ rows: [{ row_number: 2, cells: { column_0: 'ada.jpg' } }] }),
    });
    expect(retried.status).toBe(200);
    const { manifest } = await client.archive(retried.body.job_id);
    expect(manifest.row_results).toMatchObject([{ status: 'success', source_row_number: 2, warnings: [] }]);
  });

  it('[BF94] a deleted job: its pictures go with its other inputs', async () => {
    const unique = zipSync({ 'ada.jpg': turnedJpeg(quartersJpeg, 3) });
    const { body } = await create({ assets_file: unique });
    const digest = sha256(unique);
    const operator = await signedIn(scene.server);
    const held = async () => (await jobDetails(operator, body.job_id)).inputs.map(({ sha256 }) => sha256);
    expect(await held()).toContain(digest);
    await client.request(`/v1/bulkfill/export-jobs/${body.job_id}`, { method: 'DELETE' });
    expect(await held()).toEqual([]);
  });

  it.each([
    ['a text file', Buffer.from('no zip'), 'it is not a ZIP file, or it is cut short'],
    ['a cut ZIP', zip.subarray(0, zip.length - 30), 'it is not a ZIP file, or it is cut short'],
    [
      'a ZIP of another kind',
      zipSync({ 'a.gif': Buffer.from('GIF89a') }),
      '"a.gif" is neither a PNG nor a JPEG',
    ],
    [
      'a ZIP with one base name twice',
      zipSync({ 'a.png': png, x: { 'a.png': png } }),
      '"a.png" and "x/a.png" have the same base name',
    ],
    [
      'a bomb',
      zipSync({ 'a.png': new Uint8Array(30_000) }),
      'its pictures are larger than 20000 bytes together',
    ],
  ])(
    '[BF94] %s: is 400 INVALID_ASSETS with the reason, and nothing is kept',
    async (_, assets_file, reason) => {
      const { status, body } = await create({ assets_file });
      expect([status, body.code]).toEqual([400, 'INVALID_ASSETS']);
      expect(body.message).toBe(`assets_file cannot be used: ${reason}.`);
      expect(await scene.server.temporaryFiles()).toEqual([]);
    },
  );

  it('[BF94] a file above the limit: is 400 INVALID_ASSETS', async () => {
    const { status, body } = await create({ assets_file: new Uint8Array(20_001) });
    expect([status, body.code]).toEqual([400, 'INVALID_ASSETS']);
    expect(body.message).toBe('assets_file is larger than 20000 bytes.');
  });
});
