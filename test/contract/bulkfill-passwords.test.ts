import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillClient, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { box, fillArguments, layoutOf, openArchive, sha256, submitArguments } from '../support/fill-cli.ts';
import { pageTexts, readFields } from '../support/read-pdf.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { sourcePdf } from '../support/source-pdf.ts';

/** Pages with an overlay, and a form field whose value is a string of the file. */
const pdf = sourcePdf({
  pages: [{}],
  fields: [{ name: 'employee', kind: 'text', rects: [[72, 600, 300, 620]] }],
});
const layout = layoutOf([{ id: 'name', type: 'text', ...box, value: { column: 'column_0' } }], {
  columns: [
    { key: 'column_0', label: 'Name' },
    { key: 'column_1', label: 'Pass word' },
    { key: 'column_2', label: 'Twice' },
    { key: 'column_3', label: 'Twice' },
  ],
  form_fields: [{ id: 'f', field: 'employee', value: { column: 'column_0' } }],
});

const SECRET = 'orchid-7719';
const rows = [
  { column_0: 'Ada', column_1: SECRET },
  { column_0: 'Bea', column_1: ' ' },
  { column_0: 'Żółć', column_1: 'pässwörd ﬁve' },
  { column_0: 'Dan', column_1: 'x'.repeat(128) },
  { column_0: 'Eve', column_1: 'a\u0007b' },
];
const fields = { rows_json: rowsJson(rows), max_failed_row_percent: '100', password_column: 'Pass word' };

let scene: Scene;
let client: BulkfillClient;
let sandbox: CliSandbox;
beforeAll(async () => {
  [scene, sandbox] = await Promise.all([openScene({ pdf, layout }), cliSandbox()]);
  client = scene.client;
  await sandbox.write('source.pdf', pdf);
  await sandbox.write('layout.doqlo', client.usual.doqlo_file as Uint8Array);
});
afterAll(async () => {
  await scene.server.stop();
  await sandbox.remove();
});

const fillCli = async (input: object, args: readonly string[], env: Record<string, string> = {}) => {
  await sandbox.write('rows.json', input);
  const { ROWPRESS_SEAL_KEY = '', ROWPRESS_DATA_DIR = '', ROWPRESS_SECRET_KEY } = scene.server.env;
  return sandbox.run(fillArguments('layout.doqlo', 'rows.json', '-o', 'out.zip', ...args), {
    ROWPRESS_SEAL_KEY,
    ROWPRESS_DATA_DIR,
    ...(ROWPRESS_SECRET_KEY !== undefined && { ROWPRESS_SECRET_KEY }),
    ...env,
  });
};

describe('password_column', () => {
  it('[BF180] [BF182] [FILL250] [FILL251] each PDF: opens with the value of its row alone', async () => {
    const { status, body } = await client.create(fields);
    expect(status).toBe(200);
    const { files, manifest } = await client.archive(body.job_id);
    expect(Object.keys(files)).toEqual(['row_1.pdf', 'row_3.pdf', 'manifest.json']);
    expect(manifest.options).toMatchObject({ password_column: 'Pass word' });
    const codes = manifest.row_results.map(({ error }) => error?.code ?? null);
    expect(codes).toEqual([
      null,
      'ROW_PASSWORD_BLANK',
      null,
      'ROW_PASSWORD_TOO_LONG',
      'ROW_PASSWORD_INVALID',
    ]);
    const [first = new Uint8Array(), third = new Uint8Array()] = [files['row_1.pdf'], files['row_3.pdf']];
    expect(manifest.row_results[0]?.sha256).toBe(sha256(first));
    expect((await pageTexts(first, SECRET))[0]).toContain('Ada');
    expect(await readFields(first, SECRET)).toEqual({ employee: 'Ada' });
    // NFKC: the ligature becomes two letters.
    expect((await pageTexts(third, 'pässwörd five'))[0]).toContain('Żółć');
    for (const wrong of [undefined, '', 'orchid-7718', 'pässwörd five'])
      await expect(pageTexts(first, wrong), String(wrong)).rejects.toThrow(/password/i);
    expect(Buffer.from(first).includes('employee')).toBe(false);
  });

  it('[BF180] [BF145] a JSON create with a project: the bytes of the form with the same rows', async () => {
    const form = new FormData();
    form.append('name', 'Payslip');
    for (const part of ['pdf', 'doqlo_file'] as const)
      form.append(part, new Blob([client.usual[part] as Uint8Array<ArrayBuffer>]), part);
    const saved = await client.request('/v1/bulkfill/projects', {
      method: 'POST',
      body: form,
      headers: { 'idempotency-key': 'payslip' },
    });
    expect(saved.status).toBe(201);
    const labelled = [{ Name: 'Ada', 'Pass word': SECRET }];
    const json = (body: object) =>
      client.post(
        JSON.stringify({ project: 'Payslip', max_failed_row_percent: 0, rows: labelled, ...body }),
        {
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
      );
    const { status, body } = await json({ password_column: 'Pass word' });
    expect(status).toBe(200);
    const ours = (await client.archive(body.job_id)).files['row_1.pdf'] ?? new Uint8Array();
    expect((await pageTexts(ours, SECRET))[0]).toContain('Ada');
    await expect(pageTexts(ours)).rejects.toThrow(/password/i);
    const sent = await client.create({ ...fields, rows_json: rowsJson(labelled), match_columns: 'label' });
    const theirs = (await client.archive(sent.body.job_id)).files['row_1.pdf'];
    expect(sha256(ours)).toBe(sha256(theirs));
    for (const [wrong, code] of [
      [{ password_column: 7 }, 'INVALID_FIELD'],
      [{ password_column: 'Nope' }, 'INVALID_FIELD'],
      [{ password_column: 'Pass word', rows: [{ Name: 'Ada' }] }, 'COLUMNS_MISSING'],
    ] as const)
      expect((await json(wrong)).body.code).toBe(code);
  });

  it('[BF183] the value of the password: in no answer, message, name or manifest', async () => {
    const { body } = await client.create({ ...fields, filename_columns: '["Name"]' });
    const { files } = await client.archive(body.job_id);
    const problems = await client.request(`/v1/bulkfill/export-jobs/${body.job_id}/problem-rows`);
    const said = [
      JSON.stringify(body),
      problems.text,
      Object.keys(files).join(),
      String(Buffer.from(files['manifest.json'] ?? [])),
    ].join('\n');
    for (const value of [SECRET, 'pässwörd', 'xxxxxxxx', 'a\\u0007b']) expect(said).not.toContain(value);
    expect(said).toContain('column_1 has 128 bytes of UTF-8; a password has at most 127.');
    const one = (suffix: string) => client.fetch(`/v1/bulkfill/export-jobs/${body.job_id}/rows/1.${suffix}`);
    const sent = new Uint8Array(await (await one('pdf')).arrayBuffer());
    expect(sha256(sent)).toBe(sha256(files['row_1_Ada.pdf']));
    const picture = await one('png');
    expect([picture.status, await picture.json()]).toMatchObject([
      404,
      { code: 'EXPORT_DELIVERY_NOT_FOUND', message: 'Row 1 is encrypted, so it has no picture.' },
    ]);
  });

  it('[BF181] an unusable column, or another output: 400 that names the field', async () => {
    const cases = [
      [{ password_column: 'Nope' }, 'exactly one column'],
      [{ password_column: 'Twice' }, 'exactly one column'],
      [{ password_column: '' }, 'exactly one column'],
      [{ password_column: 'column_9' }, 'exactly one column'],
      [{ filename_columns: '["column_1"]' }, 'file names'],
      [{ output: 'merged' }, 'only allowed with output=zip'],
      [{ output: 'both' }, 'only allowed with output=zip'],
      [{ password_column: 'Nope', match_columns: 'label' }, 'exactly one column'],
    ] as const;
    for (const [more, reason] of cases) {
      const { status, body } = await client.create({ ...fields, ...more });
      expect([status, body.code], JSON.stringify(more)).toEqual([400, 'INVALID_FIELD']);
      expect(body.message).toMatch(/^password_column /);
      expect(body.message).toContain(reason);
    }
  });

  it('[BF180] rows that are matched by label without the column: 422', async () => {
    const more = { match_columns: 'label', rows_json: rowsJson([{ Name: 'Ada' }]) };
    const { status, body } = await client.create({ ...fields, ...more });
    expect([status, body.code]).toEqual([422, 'COLUMNS_MISSING']);
    expect(body.message).toContain('Pass word');
  });

  it('[BF182] the same key with and without the column: a mismatch in password_column', async () => {
    const key = 'passwords-once';
    const first = await client.create(fields, { key });
    expect((await client.create(fields, { key })).body.job_id).toBe(first.body.job_id);
    const { status, body } = await client.create({ ...fields, password_column: null }, { key });
    expect([status, body.differs_in]).toEqual([409, ['password_column']]);
  });

  it('[BF182] a retry: encrypts its rows too', async () => {
    const { body } = await client.create(fields);
    const retry = await client.fetch(`/v1/bulkfill/export-jobs/${body.job_id}/retry`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'p-retry', prefer: 'wait=30' },
      body: JSON.stringify({ rows: [{ row_number: 2, cells: { column_0: 'Bea', column_1: 'tulip' } }] }),
    });
    const { job_id } = (await retry.json()) as { job_id: string };
    const { files } = await client.archive(job_id);
    expect((await pageTexts(files['row_1.pdf'] ?? new Uint8Array(), 'tulip'))[0]).toContain('Bea');
  });

  it('[BF184] [FILL252] [FILL253] many rows: the bytes of `rowpress fill`, on one and on four threads', async () => {
    const many = Array.from({ length: 150 }, (_, index) => ({
      column_0: `Person ${index % 3}`,
      column_1: `secret ${index % 2}`,
    }));
    const { body } = await client.create({ ...fields, rows_json: rowsJson(many) });
    const ours = await client.archive(body.job_id);
    const args = ['--password-column', 'Pass word', '--timestamp', body.created_at];
    for (const threads of ['1', '4']) {
      const run = await fillCli(many, [...args, '--threads', threads]);
      expect([run.status, run.stderr]).toEqual([0, expect.any(String)]);
      const theirs = openArchive(await sandbox.read('out.zip'));
      expect(theirs.manifest).toEqual(ours.manifest);
      expect(sha256(theirs.bytes)).toBe(sha256(ours.bytes));
    }
    const entries = Object.entries(ours.files).flatMap(([name, bytes]) =>
      name.endsWith('.pdf') ? [String(/\/U<[0-9a-f]+>/.exec(Buffer.from(bytes).toString('latin1')))] : [],
    );
    expect(new Set(entries).size).toBe(150);
    const verified = await sandbox.run(['verify', 'out.zip', '--json']);
    expect(JSON.parse(verified.stdout)).toMatchObject({ verified: 150 });

    const submitted = await sandbox.run(
      submitArguments('rows.json', '--password-column', 'Pass word', '-o', 'submitted.zip'),
      { ROWPRESS_SERVER: scene.server.url, ROWPRESS_API_KEY: client.account.key },
    );
    expect([submitted.status, submitted.stderr]).toEqual([0, expect.any(String)]);
    const sent = openArchive(await sandbox.read('submitted.zip'));
    expect(sha256(sent.files['row_150.pdf'])).toBe(sha256(ours.files['row_150.pdf']));

    await fillCli(many, args, { ROWPRESS_SECRET_KEY: '7'.repeat(64) });
    const others = openArchive(await sandbox.read('out.zip'));
    expect(sha256(others.files['row_1.pdf'])).not.toBe(sha256(ours.files['row_1.pdf']));
    expect((await pageTexts(others.files['row_1.pdf'] ?? new Uint8Array(), 'secret 0'))[0]).toContain(
      'Person 0',
    );
  });

  it('[FILL253] --preview: the encrypted PDF; without a secret, with --merge or another output: usage errors', async () => {
    const column = ['--password-column', 'column_1'];
    const preview = await fillCli(rows, [...column, '--preview', '1']);
    expect([preview.status, preview.stderr]).toEqual([0, '']);
    expect((await pageTexts(await sandbox.read('out.zip'), SECRET))[0]).toContain('Ada');
    const lost = { ROWPRESS_DATA_DIR: sandbox.path('none'), ROWPRESS_SECRET_KEY: '' };
    const wrong = [
      await fillCli(rows, column, lost),
      await fillCli(rows, [...column, '--merge', 'all.pdf']),
      await fillCli(rows, [...column, '--output-kind', 'both']),
      await fillCli(rows, ['--password-column', 'Nope']),
    ];
    expect(wrong.map(({ status }) => status)).toEqual([2, 2, 2, 2]);
    for (const { stderr } of wrong) expect(stderr).toContain('--password-column');
  });
});
