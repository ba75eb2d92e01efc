import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { createDatabase } from '../support/database.ts';
import type { ApiClient } from '../support/subscribers-node.ts';
import { exportAll, importCsv, openScene, sharedScene } from '../support/subscribers-scene.ts';

const scene = sharedScene();
const read = (text: string): string[][] => parse(text, { record_delimiter: '\r\n' });

test('[SUB50] an export: every selected subscriber by column, as CSV or NDJSON', async () => {
  const api = await scene().client('columns');
  const field = (await api.post('/v1/custom-fields', { label: 'Joined', type: 'Date' })).body.data;
  const many = (
    await api.post('/v1/custom-fields', {
      label: 'email',
      type: 'Multi Select',
      settings: { options: ['A', 'B'] },
    })
  ).body.data;
  await api.post('/v1/subscribers', {
    email: 'ada@example.com',
    name: 'Ada, "L"',
    country: 'GB',
    new_tags: ['One', 'Two'],
    custom_fields: { [field.id]: '2026-01-02', [many.id]: ['B', 'A'] },
  });
  await api.post('/v1/subscribers', { email: 'bob@example.com', status: 'Bounced' });
  const { text, job } = await exportAll(api);
  expect(job).toMatchObject({
    exported_count: 2,
    selection: { query: null, status: null, cold_only: false },
    file_name: expect.stringMatching(/^subscribers-\d{4}-\d\d-\d\d\.csv$/),
  });
  const [headers, bob, ada] = read(text);
  expect(headers).toEqual([
    'email',
    'name',
    'status',
    'country',
    'subscribed_at',
    'last_opened_at',
    'tags',
    'email (custom field)',
    'Joined',
  ]);
  expect(ada?.filter((_, column) => column !== 4)).toEqual([
    'ada@example.com',
    'Ada, "L"',
    'Active',
    'GB',
    '',
    'One, Two',
    'A;B',
    '2026-01-02',
  ]);
  expect(bob?.[2]).toBe('Bounced');
  const active = await exportAll(api, { status: 'Active', format: 'ndjson' });
  const [line] = active.text
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row));
  expect(active.job.exported_count).toBe(1);
  expect(line).toMatchObject({
    email: 'ada@example.com',
    tags: ['One', 'Two'],
    custom_fields: { Joined: '2026-01-02', email: ['A', 'B'] },
  });
  expect((await api.post('/v1/jobs/subscriber-exports', { status: 'Happy' })).body.error).toMatchObject({
    type: 'invalid_request',
    code: 'invalid_body',
  });
  const summaries = (await api.get('/v1/jobs/subscriber-exports')).body.data;
  expect(summaries).toHaveLength(2);
  for (const member of ['selection', 'file_name', 'download_url', 'error_message'])
    expect(summaries[0]).not.toHaveProperty(member);
});

test('[SUB52] the lifetime of the link: a setting', async () => {
  const { api } = await openScene({ settings: { exportLinkSeconds: 60 } });
  const { job } = await exportAll(api, {});
  expect(Date.parse(job.expires_at) - Date.parse(job.completed_at)).toBe(60_000);
});

test('[SUB52][SUB50] the link: needs no key, cannot be guessed and expires after an hour; cold means 90 days', async () => {
  const clock = new ManualClock(new Date());
  const { api } = await openScene({ clock });
  await api.post('/v1/subscribers', { email: 'old@example.com', subscribed_on: '2020-01-01' });
  await api.post('/v1/subscribers', { email: 'new@example.com' });
  const { job, text } = await exportAll(api, { cold_only: true });
  expect(
    read(text)
      .slice(1)
      .map(([email]) => email),
  ).toEqual(['old@example.com']);
  expect(Date.parse(job.expires_at) - Date.parse(job.completed_at)).toBe(3_600_000);
  const url: string = job.download_url;
  const token = url.split('/').at(-2) ?? '';
  expect(token.length).toBeGreaterThanOrEqual(43);
  expect((await fetch(url.replace(token, `${token.slice(0, -1)}!`))).status).toBe(404);
  clock.advance(3_599_000);
  expect((await fetch(url)).status).toBe(200);
  clock.advance(2_000);
  expect((await fetch(url)).status).toBe(404);
  expect((await api.get(job.self)).body.data).toMatchObject({ download_url: null, exported_count: 1 });
});

test('[SUB85] [SUB86] an export in slices: the same bytes as in one slice, with the SHA-256 of the file as its ETag', async () => {
  const address = await createDatabase();
  const blobRoot = await mkdtemp(join(tmpdir(), 'rp-export-'));
  onTestFinished(() => rm(blobRoot, { recursive: true, force: true }));
  const { api, node } = await openScene({ address, blobRoot });
  await api.post('/v1/custom-fields', { label: 'Note', type: 'Text Area' });
  // An import gives many people the same time of creation, so ranges end between equal times.
  const rows = Array.from({ length: 25 }, (_, n) => `p${n}@example.com,Name ${n}`);
  await importCsv(api, `Email,Name\n${rows.join('\n')}\n`);
  await api.post('/v1/subscribers', { email: 'q1@example.com', status: 'Bounced' });
  const bodies = [{}, { format: 'ndjson' }, { status: 'Bounced' }, { query: 'nobody' }];
  const whole = [];
  for (const body of bodies) whole.push(await exportAll(api, body));
  await node.stop();
  for (const exportSlicePeople of [1, 4, 13, 26, 27]) {
    const sliced = await openScene({ address, blobRoot, settings: { exportSlicePeople } });
    const again = await sliced.client('demo');
    for (const [n, body] of bodies.entries()) {
      const { text, job, response } = await exportAll(again, body);
      expect(text).toBe(whole[n]?.text);
      expect(job.exported_count).toBe(whole[n]?.job.exported_count);
      const sha256 = createHash('sha256').update(text).digest('hex');
      expect(response.headers.get('etag')).toBe(`"${sha256}"`);
      expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    }
    await sliced.node.stop();
  }
});

test('[SUB85] changes between request and slices: nobody twice, the columns of the request, and new people in the first slice', async () => {
  const { api, node } = await openScene({ idle: true, settings: { exportSlicePeople: 2 } });
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    await api.post('/v1/subscribers', { email: `${name}@example.com` });
  const { body: created } = await api.post('/v1/jobs/subscriber-exports', {});
  await api.post('/v1/custom-fields', { label: 'Later', type: 'Text Area' });
  const { body: found } = await api.get('/v1/subscribers?email=a@example.com');
  await api.call('DELETE', `/v1/subscribers/${found.data[0].id}`);
  await api.post('/v1/subscribers', { email: 'a@example.com' });
  await api.post('/v1/subscribers', { email: 'new@example.com' });
  node.work();
  const job = await api.ended(created.data.self);
  const [headers, ...people] = read(await (await fetch(job.download_url)).text());
  expect(headers).not.toContain('Later');
  const emails = people.map(([email]) => email?.split('@')[0]);
  expect(emails).toEqual(['new', 'a', 'e', 'd', 'c', 'b']);
});

/** Texts that a CSV, a spreadsheet or a careless reader might mangle. */
const tricky = fc
  .string({
    unit: fc.constantFrom(
      'a',
      'Z',
      ' ',
      "'",
      '=',
      '+',
      '-',
      '@',
      '"',
      ',',
      ';',
      '\n',
      '\r\n',
      '\t',
      '1',
      'ë',
      '😀',
    ),
    maxLength: 8,
  })
  .map((text) => text.trim());

/** Creates the two custom fields of a table and returns the mappings of its columns to them. */
async function mappingsOf(api: ApiClient) {
  const note = (await api.post('/v1/custom-fields', { label: 'Note', type: 'Text Area' })).body.data.id;
  const score = (await api.post('/v1/custom-fields', { label: 'Score', type: 'Number' })).body.data.id;
  return (email: string, name: string, status: string, country: string) => [
    { csv_column: email, field: { type: 'email' } },
    { csv_column: name, field: { type: 'name' } },
    { csv_column: status, field: { type: 'subscriber-status' } },
    { csv_column: country, field: { type: 'country' } },
    { csv_column: 'Note', field: { type: 'custom-field', custom_field_id: note } },
    { csv_column: 'Score', field: { type: 'custom-field', custom_field_id: score } },
  ];
}

test('[SUB51] generated tables imported, exported and imported again: unchanged', async () => {
  const api = await scene().client('identity');
  const mappings = await mappingsOf(api);
  const person = fc.record({
    name: tricky,
    status: fc.constantFrom('Active', 'Unconfirmed', 'Unsubscribed', 'Complained', 'Bounced', 'Blocked'),
    country: fc.constantFrom('', 'DE', 'US'),
    note: tricky,
    score: fc.constantFrom('', '0', '-1.5', '42', '1e21'),
  });
  const tables = fc.sample(fc.array(person, { minLength: 1, maxLength: 12 }), { numRuns: 200, seed: 5 });
  // All tables share one import, each with its own emails: 200 tables without 200 round trips.
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = tables.flatMap((people, table) =>
    people.map(({ name, status, country, note, score }, i) =>
      [
        `${i % 3 === 0 ? '+' : '=-'.charAt(i % 2)}t${table}.${i}@example.com`,
        name,
        status,
        country,
        note,
        score,
      ]
        .map(quote)
        .join(','),
    ),
  );
  const csv = `E,N,S,C,Note,Score\n${lines.join('\n')}\n`;
  const first = await importCsv(api, csv, { mappings: mappings('E', 'N', 'S', 'C') });
  expect(first).toMatchObject({ created_count: lines.length, failed_count: 0 });
  const exported = (await exportAll(api)).text;
  for (const cells of read(exported))
    for (const cell of cells)
      expect(/^[=@\t\r]/.test(cell) || /^[+-](?!\d+(\.\d+)?$)/.test(cell)).toBe(false);
  const own = ['email', 'name', 'status', 'country'] as const;
  expect(await importCsv(api, exported, { mappings: mappings(...own) })).toMatchObject({
    unchanged_count: lines.length,
    updated_count: 0,
    created_count: 0,
    failed_count: 0,
  });
  // Importing into an empty account yields the same people, cell by cell.
  const empty = await scene().client('identity-copy');
  const there = { mappings: (await mappingsOf(empty))(...own) };
  expect(await importCsv(empty, exported, there)).toMatchObject({ created_count: lines.length });
  const again = (await exportAll(empty)).text;
  const comparable = (text: string) =>
    read(text)
      .map((cells) => cells.toSpliced(4, 1).join('\u0001'))
      .sort();
  expect(comparable(again)).toEqual(comparable(exported));
});
