import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpusDir } from '../support/corpus-dir.ts';
import type { ApiClient, Json } from '../support/subscribers-node.ts';
import { EMAIL, importCsv, NAME, openScene, sharedScene } from '../support/subscribers-scene.ts';

const scene = sharedScene();
const IMPORTS = '/v1/jobs/subscriber-imports';
const STATUS = { csv_column: 'Status', field: { type: 'subscriber-status' } };
const COUNTRY = { csv_column: 'Country', field: { type: 'country' } };

const find = async (api: ApiClient, email: string): Promise<Json> =>
  (await api.get(`/v1/subscribers?email=${encodeURIComponent(email)}`)).body.data[0];
const total = async (api: ApiClient) => (await api.get('/v1/subscribers?limit=100')).body.data.length;

describe('[SUB21] mappings that cannot be', () => {
  const unknownField = { type: 'custom-field', custom_field_id: '019a0000-0000-7000-8000-000000000000' };
  test.each([
    ['no email', [NAME], 'email_mapping_required'],
    ['a column twice', [EMAIL, { ...EMAIL, field: { type: 'name' } }], 'duplicate_mapping'],
    ['a field twice', [EMAIL, { csv_column: 'Name', field: { type: 'email' } }], 'duplicate_mapping'],
    ['an unknown column', [EMAIL, { csv_column: 'Nickname', field: { type: 'name' } }], 'unknown_csv_column'],
    ['an unknown custom field', [EMAIL, { csv_column: 'Name', field: unknownField }], 'invalid_mapping'],
    [
      'a custom field without id',
      [EMAIL, { csv_column: 'Name', field: { type: 'custom-field' } }],
      'invalid_mapping',
    ],
    ['an unknown type', [EMAIL, { csv_column: 'Name', field: { type: 'age' } }], 'invalid_body'],
    ['none at all', [], 'invalid_body'],
  ])('%s: 400', async (_name, mappings, code) => {
    const { api } = scene();
    const { status, body } = await api.post(IMPORTS, { csv_text: 'Email,Name\na@b.co,A\n', mappings });
    expect([status, body.error.type, body.error.code]).toEqual([400, 'invalid_request', code]);
  });
});

test('[SUB20][SUB22][SUB3] an invalid body: rejected, and nothing is imported', async () => {
  const api = await scene().client('refused');
  const other = await scene().client('refused-other');
  const foreignTag = (await other.post('/v1/tags', { name: 'Theirs' })).body.data.id;
  const mappings = [EMAIL];
  const csv_text = 'Email\na@b.co\n';
  const answers = [
    [{ mappings }, 'invalid_body'],
    [{ csv_text, upload_id: 'x', mappings }, 'invalid_body'],
    [{ upload_id: 'x', mappings }, 'invalid_body'],
    [{ csv_text: '', mappings }, 'invalid_body'],
    [{ csv_text: '\n\n', mappings }, 'invalid_csv'],
    [{ csv_text: 'Email\n"a@b.co\n', mappings }, 'invalid_csv'],
    [{ csv_text: 'Email,Email\na@b.co,b\n', mappings }, 'invalid_csv'],
    [{ csv_text, mappings, existing_tag_ids: [foreignTag] }, 'invalid_body'],
    [{ csv_text, mappings, existing_tag_ids: ['nope'] }, 'invalid_body'],
    ['{"csv_text":', 'invalid_json'],
  ] as const;
  for (const [body, code] of answers) {
    const answer = await api.post(IMPORTS, body);
    expect([answer.status, answer.body.error?.code]).toEqual([400, code]);
  }
  expect((await api.get(IMPORTS)).body.data).toEqual([]);
  expect(await total(api)).toBe(0);
});

test('[SUB22][SUB2] a CSV above the limits: 413 csv_too_large of type invalid_request', async () => {
  const { api } = await openScene({ settings: { maxCsvBytes: 1_000, maxCsvRows: 5 } });
  const mappings = [EMAIL];
  for (const csv_text of [
    `Email\n${'a@b.co\n'.repeat(6)}`,
    `Email\n${'x'.repeat(1_001)}\n`,
    `Email\n${'x'.repeat(5_000_000)}\n`,
  ]) {
    const { status, body } = await api.post(IMPORTS, { csv_text, mappings });
    expect([status, body.error.type, body.error.code]).toEqual([413, 'invalid_request', 'csv_too_large']);
  }
});

test('[SUB24][SUB25][SUB26][SUB27] rows: bad ones fail alone, the last one wins, blanks keep, nobody is brought back', async () => {
  const api = await scene().client('rules');
  const mappings = [EMAIL, NAME, STATUS, COUNTRY];
  const first = await importCsv(
    api,
    [
      'Email,Name,Status,Country',
      'ada@example.com,Ada,Active,de',
      'bob@example.com,Bob,Unsubscribed,',
      'cy@example.com,Cy,,Atlantis',
      ' ADA@example.com ,Ada Lovelace,,',
      'ada@example.com,Bad Last,Nonsense,',
      ',Nobody,,',
      'dee@example.com,Dee,unconfirmed,France',
    ].join('\n'),
    { mappings },
  );
  expect(first).toMatchObject({
    status: 'Completed',
    row_count: 7,
    created_count: 3,
    updated_count: 0,
    unchanged_count: 1,
    failed_count: 3,
    imported_count: 4,
  });
  expect(await find(api, 'ada@example.com')).toMatchObject({
    name: 'Ada Lovelace',
    status: 'Active',
    country: null,
  });
  expect(await find(api, 'DEE@example.com')).toMatchObject({ status: 'Unconfirmed', country: 'FR' });
  const second = await importCsv(
    api,
    'Email,Name,Status,Country\nada@example.com,,,\nbob@example.com,Robert,Active,GB\ndee@example.com,Dee,,\ndee@example.com,Dee,Active,\n',
    { mappings },
  );
  expect(second).toMatchObject({
    created_count: 0,
    updated_count: 2,
    unchanged_count: 2,
    failed_count: 0,
    imported_count: 4,
  });
  expect(await find(api, 'bob@example.com')).toMatchObject({
    name: 'Robert',
    status: 'Unsubscribed',
    country: 'GB',
  });
  expect(await find(api, 'dee@example.com')).toMatchObject({ status: 'Active' });
});

test('[SUB28] tags and sequences of an import: reach every row; a new tag is created once; a row that only gains a tag is updated', async () => {
  const api = await scene().client('tags');
  const existing = (await api.post('/v1/tags', { name: 'Old' })).body.data.id;
  const csv = 'Email\na@example.com\nb@example.com\n';
  const more = {
    mappings: [EMAIL],
    existing_tag_ids: [existing],
    new_tag_name: 'Spring',
    sequence_ids: ['seq_1'],
  };
  expect(await importCsv(api, csv, { mappings: [EMAIL] })).toMatchObject({ created_count: 2 });
  expect(await importCsv(api, csv, more)).toMatchObject({ updated_count: 2, unchanged_count: 0 });
  expect(await importCsv(api, csv, { ...more, new_tag_name: ' SPRING ' })).toMatchObject({
    updated_count: 0,
    unchanged_count: 2,
  });
  const tags = (await api.get('/v1/tags')).body.data;
  expect(tags.map(({ name, subscriber_count }: Json) => [name, subscriber_count]).sort()).toEqual([
    ['Old', 2],
    ['Spring', 2],
  ]);
  expect(await find(api, 'a@example.com')).toMatchObject({
    sequence_ids: ['seq_1'],
    tags: [{ name: 'Old' }, { name: 'Spring' }],
  });
  expect(await importCsv(api, csv, { mappings: [EMAIL], new_tag_name: 'Autumn' })).toMatchObject({
    updated_count: 2,
  });
});

test('[SUB28] a tag that a running import uses: cannot be deleted', async () => {
  const { api, node } = await openScene({ idle: true });
  const tag = (await api.post('/v1/tags', { name: 'Busy' })).body.data;
  const field = (await api.post('/v1/custom-fields', { label: 'Age', type: 'Number' })).body.data;
  const age = { csv_column: 'Name', field: { type: 'custom-field', custom_field_id: field.id } };
  const { body } = await api.post(IMPORTS, {
    csv_text: 'Email,Name\na@b.co,7\n',
    mappings: [EMAIL, age],
    existing_tag_ids: [tag.id],
  });
  for (const self of [tag.self, field.self]) {
    const refused = await api.call('DELETE', self);
    expect([refused.status, refused.body.error.type]).toEqual([409, 'conflict']);
  }
  node.work();
  expect(await api.ended(body.data.self)).toMatchObject({ created_count: 1 });
  for (const self of [tag.self, field.self]) expect((await api.call('DELETE', self)).status).toBe(204);
  expect(await find(api, 'a@b.co')).toMatchObject({ tags: [], custom_fields: {} });
});

test('[SUB29] failed rows: returned with line, column, value and reason, and can be corrected and sent again', async () => {
  const api = await scene().client('mend');
  const csv = 'Email,Name\nada@example.com,Ada\nbroken,"Ann, ""the"" one"\n"x\ny",Multi\n,=1+1\n';
  const job = await importCsv(api, csv);
  expect(job).toMatchObject({
    created_count: 1,
    failed_count: 3,
    failed_rows_url: expect.stringContaining(job.id),
  });
  const anonymous = await fetch(job.failed_rows_url);
  expect(anonymous.status).toBe(401);
  const report = await api.get(new URL(job.failed_rows_url).pathname);
  expect(report.headers.get('content-type')).toContain('text/csv');
  expect(report.body).toBe(
    [
      'line,column,value,code,message,Email,Name',
      '3,Email,broken,email_invalid,This is not an email address.,broken,"Ann, ""the"" one"',
      '4,Email,"x\ny",email_invalid,This is not an email address.,"x\ny",Multi',
      "6,Email,,email_missing,The email is missing.,,'=1+1",
      '',
    ].join('\r\n'),
  );
  const mended = report.body.replace(',broken,"Ann', ',ann@example.com,"Ann');
  expect(await importCsv(api, mended)).toMatchObject({ created_count: 1, failed_count: 2 });
  expect(await find(api, 'ann@example.com')).toMatchObject({ name: 'Ann, "the" one' });
  expect((await importCsv(api, 'Email\nz@example.com\n', { mappings: [EMAIL] })).failed_rows_url).toBeNull();
});

test('[SUB31] a dry run: the counts of a real import, and nothing is written', async () => {
  const api = await scene().client('dry');
  await importCsv(api, 'Email,Name\nada@example.com,Ada\nbob@example.com,Bob\n');
  const csv = 'Email,Name\nada@example.com,Ada L\nbob@example.com,Bob\nnew@example.com,New\nnope,\n';
  const more = { new_tag_name: 'Dry', sequence_ids: ['s'] };
  const dry = await importCsv(api, csv, { ...more, dry_run: true });
  expect(dry).toMatchObject({
    dry_run: true,
    created_count: 1,
    updated_count: 2,
    unchanged_count: 0,
    failed_count: 1,
  });
  expect(dry.failed_rows_url).not.toBeNull();
  expect(await total(api)).toBe(2);
  expect(await find(api, 'ada@example.com')).toMatchObject({ name: 'Ada', sequence_ids: [] });
  expect((await api.get('/v1/tags')).body.data).toEqual([]);
  const real = await importCsv(api, csv, more);
  const counts = ({ created_count, updated_count, unchanged_count, failed_count }: Json) => [
    created_count,
    updated_count,
    unchanged_count,
    failed_count,
  ];
  expect(counts(real)).toEqual(counts(dry));
});

test('[SUB32] the event stream of an import: progress until it ends', async () => {
  const api = await scene().client('watch');
  const { body } = await api.post(IMPORTS, { csv_text: 'Email\na@b.co\n', mappings: [EMAIL] });
  const stream = await api.get(`${body.data.self}/events`);
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  const events = stream.body
    .trim()
    .split('\n\n')
    .map((event: string) => event.split('\n')[0]);
  expect(events.at(-1)).toBe('event: completed');
  expect(JSON.parse(/data: (.*)\n*$/.exec(stream.body)?.[1] ?? '')).toMatchObject({
    status: 'Completed',
    progress: 1,
    imported_count: 1,
  });
});

test('[SUB25] a later row with the same email in another slice: replaces the earlier one', async () => {
  const api = await scene().client('far');
  const lines = Array.from({ length: 12_000 }, (_, i) => `p${i}@example.com,First`);
  const job = await importCsv(api, `Email,Name\n${lines.join('\n')}\nP0@example.com,Second\nbad,\n`);
  expect(job).toMatchObject({
    row_count: 12_002,
    created_count: 12_000,
    unchanged_count: 1,
    failed_count: 1,
  });
  expect(await find(api, 'p0@example.com')).toMatchObject({ name: 'Second', email: 'P0@example.com' });
});

const spectrum = corpusDir('csv/csvspectrum/csvs');
test.skipIf(spectrum === null)(
  '[SUB23] the csv-spectrum files: read, or rejected with a reason',
  async () => {
    const api = await scene().client('spectrum');
    const files = await readdir(spectrum ?? '');
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const csv_text = await readFile(join(spectrum ?? '', file), 'utf8');
      const [column = ''] = /^"?([^",\r\n]+)/.exec(csv_text)?.slice(1) ?? [];
      const { status, body } = await api.post(IMPORTS, {
        csv_text,
        mappings: [{ csv_column: column, field: { type: 'email' } }],
      });
      if (status === 202)
        expect(await api.ended(body.data.self)).toMatchObject({ status: 'Completed', imported_count: 0 });
      else expect([status, body.error.code], file).toEqual([400, 'invalid_csv']);
    }
  },
);
