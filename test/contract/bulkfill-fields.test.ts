import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillClient, type Fields, openScene, type Scene } from '../support/bulkfill-client.ts';
import { letterPdf, nameLayout, seal } from '../support/bulkfill-server.ts';
import { type ConsoleClient, signedIn } from '../support/console-client.ts';
import { jobDetails } from '../support/operator-views.ts';
import { sourcePdf } from '../support/source-pdf.ts';

let scene: Scene;
let client: BulkfillClient;
let operator: ConsoleClient;
beforeAll(async () => {
  scene = await openScene({
    env: {
      ROWPRESS_MAX_PAGES: '3',
      ROWPRESS_MAX_PACKAGE_BYTES: '100000',
      ROWPRESS_MAX_OUTPUT_BYTES: '2000000',
      ROWPRESS_WEBHOOK_ALLOW: 'hooks.test',
    },
  });
  client = scene.client;
  operator = await signedIn(scene.server);
});
afterAll(() => scene.server.stop());
afterEach(async () => {
  expect(await scene.server.temporaryFiles()).toEqual([]);
});

async function refusal(fields: Fields): Promise<[number, string, string]> {
  const { status, body } = await client.create(fields);
  return [status, body.code, body.message];
}

async function expectRefused(fields: Fields, status: number, code: string, named = ''): Promise<void> {
  const [gotStatus, gotCode, message] = await refusal(fields);
  expect([gotStatus, gotCode], JSON.stringify(fields).slice(0, 200)).toEqual([status, code]);
  expect(message).toContain(named);
}

describe('the form', () => {
  it('[BF8] a body that is not complete multipart form data with named parts: 400', async () => {
    const boundary = 'frontier';
    const type = `multipart/form-data; boundary=${boundary}`;
    const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\nx\r\n`;
    const bodies: [string, string][] = [
      ['application/xml', '<a/>'],
      ['text/plain', 'pdf'],
      ['multipart/form-data', part('form-data; name="pdf"')],
      [type, part('form-data; name="pdf"')],
      [type, `--${boundary}\r\nContent-Disposition: form-data; name="pdf"; filename="a.pdf"\r\n\r\n%PDF`],
      [type, `${part('form-data')}--${boundary}--\r\n`],
      [type, 'no boundary at all'],
    ];
    for (const [contentType, body] of bodies) {
      const answer = await client.post(body, { 'content-type': contentType, 'idempotency-key': 'bad-form' });
      expect([contentType, answer.status, answer.body.code]).toEqual([contentType, 400, 'INVALID_MULTIPART']);
    }
  });

  it('[BF9] a missing required field: the error names it', async () => {
    for (const field of ['pdf', 'doqlo_file', 'max_failed_row_percent'])
      await expectRefused({ [field]: null }, 400, 'MISSING_FIELD', field);
  });

  it('[BF10] an unknown or repeated field: the error names it', async () => {
    for (const field of ['surprise', '__proto__', 'constructor', 'toString'])
      await expectRefused(JSON.parse(`{"${field}":"x"}`), 400, 'UNKNOWN_FIELD', field);
    for (const field of ['pdf', 'max_failed_row_percent', 'rows_json', 'filename_columns']) {
      const form = new FormData();
      for (const value of ['0', '0']) form.append(field, value);
      const { status, body } = await client.post(form, { 'idempotency-key': 'twice' });
      expect([status, body.code]).toEqual([400, 'DUPLICATE_FIELD']);
      expect(body.message).toContain(field);
    }
  });

  it('[BF11] a threshold: an integer from 0 to 100 in plain digits', async () => {
    for (const value of [
      '',
      '-1',
      '101',
      '1.5',
      '05',
      '+5',
      ' 5',
      '5 ',
      '5%',
      'five',
      '1e1',
      '٥',
      '1000000000000',
    ])
      await expectRefused({ max_failed_row_percent: value }, 400, 'INVALID_FIELD', 'max_failed_row_percent');
  });

  it('[BF12] a switch: true or false only', async () => {
    for (const field of ['include_stickers', 'flatten_forms', 'dry_run', 'csv_header'])
      for (const value of ['TRUE', '1', 'yes', '', ' true'])
        await expectRefused({ [field]: value }, 400, 'INVALID_FIELD', field);
  });

  it('[BF13] no row input or more than one: 400', async () => {
    await expectRefused({ rows_json: null }, 400, 'ROW_INPUT_CONFLICT');
    await expectRefused({ csv_file: 'a\n' }, 400, 'ROW_INPUT_CONFLICT');
    await expectRefused({ rows_file: new Uint8Array(3) }, 400, 'ROW_INPUT_CONFLICT');
    await expectRefused({ rows_from: 'a:b' }, 400, 'ROW_INPUT_CONFLICT');
  });

  it('[BF14] webhook fields without delivery_mode, or the reverse: 400', async () => {
    const hook = { webhook_url: 'https://hooks.test/', webhook_secret: 's' };
    await expectRefused({ delivery_mode: 'email' }, 400, 'INVALID_FIELD', 'delivery_mode');
    await expectRefused({ ...hook }, 400, 'INVALID_FIELD', 'webhook_url');
    await expectRefused({ webhook_secret: 's' }, 400, 'INVALID_FIELD', 'webhook_secret');
    await expectRefused(
      { ...hook, delivery_mode: 'webhook', webhook_url: null },
      400,
      'MISSING_FIELD',
      'webhook_url',
    );
    await expectRefused(
      { ...hook, delivery_mode: 'webhook', webhook_secret: null },
      400,
      'MISSING_FIELD',
      'webhook_secret',
    );
    for (const secret of ['', 'x'.repeat(257), '😀'.repeat(257)])
      await expectRefused(
        { ...hook, delivery_mode: 'webhook', webhook_secret: secret },
        400,
        'INVALID_FIELD',
        'webhook_secret',
      );
    const longest = await client.create({
      ...hook,
      delivery_mode: 'webhook',
      webhook_secret: '😀'.repeat(256),
    });
    expect(longest.status).toBe(200);
  });

  it('[BF15] filename_columns: a JSON array of up to three strings', async () => {
    for (const value of ['', 'column_0', '"column_0"', '{}', '[1]', '[null]', '[["column_0"]]', '[', 'null'])
      await expectRefused({ filename_columns: value }, 400, 'INVALID_FILENAME_COLUMNS');
    await expectRefused({ filename_columns: '["a","b","c","d"]' }, 400, 'TOO_MANY_FILENAME_COLUMNS');
    const repeated = await client.create({ filename_columns: '["column_0","column_0","nothing"]' });
    const { manifest } = await client.archive(repeated.body.job_id);
    expect(manifest.row_results[0]?.file_name).toBe('row_1_Row 1_Row 1.pdf');
  });

  it('[BF16] a part with another file name or type: is read by its field name', async () => {
    const form = new FormData();
    form.append('rows_json', new Blob(['[{"column_0":"a"}]'], { type: 'image/png' }), '../../etc/passwd');
    form.append('pdf', new Blob([letterPdf as Uint8Array<ArrayBuffer>], { type: 'text/plain' }), 'no.txt');
    form.append('doqlo_file', new Blob([client.usual.doqlo_file as Uint8Array<ArrayBuffer>]), '');
    form.append('max_failed_row_percent', new Blob(['0']), 'percent.txt');
    const { status } = await client.post(form, { 'idempotency-key': 'odd-names' });
    expect(status).toBe(200);
  });

  it('[BF17] text that is not UTF-8: 400', async () => {
    const latin1 = Uint8Array.of(0x74, 0xfc, 0x72);
    for (const field of ['webhook_secret', 'filename_columns', 'max_failed_row_percent'])
      await expectRefused({ [field]: latin1 }, 400, 'INVALID_FIELD', field);
  });
});

describe('files', () => {
  it('[BF26] a file at its limit: accepted; one byte more: 413', async () => {
    const free = await scene.another('free');
    const padded = (bytes: number) => {
      const pdf = new Uint8Array(bytes);
      pdf.set(letterPdf);
      return pdf;
    };
    const over = await free.create({ pdf: padded(20_000_001) });
    expect([over.status, over.body.code]).toEqual([413, 'PDF_TOO_LARGE']);
    const at = await free.create({ pdf: padded(20_000_000) });
    expect(at.body.code).not.toBe('PDF_TOO_LARGE');
    const roomy = await client.create({ pdf: padded(20_000_001) });
    expect(roomy.body.code).not.toBe('PDF_TOO_LARGE');
    await expectRefused({ doqlo_file: new Uint8Array(100_001) }, 413, 'PACKAGE_TOO_LARGE');
  });

  it('[BF27] a file that is not a usable PDF: 422', async () => {
    for (const pdf of [new Uint8Array(0), new TextEncoder().encode('hello'), letterPdf.slice(0, 40)])
      await expectRefused({ pdf }, 422, 'PDF_INVALID');
    await expectRefused({ pdf: sourcePdf({ pages: [{}, {}, {}, {}] }) }, 422, 'PDF_TOO_MANY_PAGES');
    await expectRefused({ pdf: await encrypted('secret') }, 422, 'PDF_ENCRYPTED');
    const open = await client.create({ pdf: await encrypted('') });
    expect(open.status).toBe(200);
  });

  it('[BF28] a file that is not a valid package of this installation: 422', async () => {
    const good = client.usual.doqlo_file as Uint8Array;
    for (const doqlo_file of [
      new Uint8Array(0),
      new TextEncoder().encode('PK junk'),
      good.slice(0, good.length / 2),
    ])
      await expectRefused({ doqlo_file }, 422, 'PACKAGE_MALFORMED');
    const edited = good.slice();
    const at = Buffer.from(good).indexOf('column_0');
    edited[at + 7] = '1'.charCodeAt(0);
    await expectRefused({ doqlo_file: edited }, 422, 'PACKAGE_TAMPERED');
    const foreign = await seal(nameLayout, letterPdf, new Uint8Array(32).fill(9));
    await expectRefused({ doqlo_file: foreign }, 422, 'PACKAGE_UNSUPPORTED');
  });

  it('[BF30] rows whose ZIP would be too large: 413', async () => {
    const rows_json = JSON.stringify(Array(20_000).fill({ column_0: 'a' }));
    await expectRefused({ rows_json }, 413, 'OUTPUT_TOO_LARGE');
  });

  it('[BF31] many creates with one PDF at once: it is prepared once', async () => {
    const pdf = sourcePdf({ pages: [{ text: 'stampede' }] });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        client.create({ pdf, rows_json: JSON.stringify([{ column_0: `${i}` }]) }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    // Each job has its own rows. All of them share one stored prepared PDF and package.
    const jobs = await Promise.all(answers.map(({ body }) => jobDetails(operator, body.job_id)));
    const digests = jobs.flatMap(({ inputs }) => inputs.map(({ sha256 }) => sha256));
    expect([digests.length, new Set(digests).size]).toEqual([3 * 8, 8 + 2]);
  });
});

async function encrypted(userPassword: string): Promise<Uint8Array> {
  const document = await PDFDocument.load(letterPdf);
  document.encrypt({ userPassword, ownerPassword: 'owner' });
  return document.save();
}

describe('[BF7] the order of checks', () => {
  it('is: key header before form, form before files, replay before everything that costs', async () => {
    const noKey = await client.request('/v1/bulkfill/export-jobs', {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    expect(noKey.body.code).toBe('INVALID_IDEMPOTENCY_KEY');
    await expectRefused({ pdf: new Uint8Array(1), flatten_forms: 'maybe' }, 400, 'INVALID_FIELD');
    await expectRefused({ pdf: new Uint8Array(1), rows_json: '[]' }, 422, 'NO_ROWS');
    const first = await client.create({}, { key: 'order' });
    expect(first.status).toBe(200);
    const changed = await client.create({ pdf: new Uint8Array(1) }, { key: 'order' });
    expect([changed.status, changed.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH']);
  });
});
