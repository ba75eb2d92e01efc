import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BulkfillClient,
  goodRows,
  openScene,
  rowsJson,
  type Scene,
} from '../support/bulkfill-client.ts';
import { type ConsoleClient, type Listed, signedIn } from '../support/console-client.ts';
import { exportedTables, tablesThatStore } from '../support/exported-tables.ts';
import { listAll, quotaOf, totalsOf } from '../support/operator-views.ts';

let scene: Scene;
let client: BulkfillClient;
let operator: ConsoleClient;
beforeAll(async () => {
  scene = await openScene({
    env: { ROWPRESS_WEBHOOK_ALLOW: 'hooks.test' },
    surroundings: { resolve: async () => [] },
  });
  client = scene.client;
  operator = await signedIn(scene.server);
});
afterAll(() => scene.server.stop());

const MESSAGE = 'This Idempotency-Key has already been used for a different export request.';
const SECRET = 'shh, a shared secret';
const hook = { delivery_mode: 'webhook', webhook_url: 'https://hooks.test/a', webhook_secret: SECRET };
const totals = () => totalsOf(operator, client.account.name);

describe('an Idempotency-Key', () => {
  it('[BF37] a missing, repeated or malformed Idempotency-Key: 400', async () => {
    const form = () => {
      const body = new FormData();
      body.append('max_failed_row_percent', '0');
      return body;
    };
    for (const key of ['', 'a b', 'a/b', 'a'.repeat(129), 'a,b', '{}', 'ä']) {
      const { status, body } = await client.post(form(), { 'idempotency-key': key });
      expect([key, status, body.code]).toEqual([key, 400, 'INVALID_IDEMPOTENCY_KEY']);
    }
    const none = await client.post(form(), {});
    expect([none.status, none.body.code]).toEqual([400, 'INVALID_IDEMPOTENCY_KEY']);
    const twice = await client.request('/v1/bulkfill/export-jobs', {
      method: 'POST',
      body: form(),
      headers: { 'idempotency-key': 'one, two' },
    });
    expect(twice.body.code).toBe('INVALID_IDEMPOTENCY_KEY');
    for (const key of ['a', 'A'.repeat(128), 'a.b_c:d-e'])
      expect((await client.create({}, { key })).status, key).toBe(200);
  });

  it('[BF37] keys that differ in case: two jobs', async () => {
    const lower = await client.create({ rows_json: rowsJson(goodRows(1)) }, { key: 'case' });
    const upper = await client.create({ rows_json: rowsJson(goodRows(1)) }, { key: 'CASE' });
    expect(upper.body.job_id).not.toBe(lower.body.job_id);
  });

  it('[BF38] the same body again: the same job, and no further job, delivery or bill', async () => {
    const first = await client.create(hook, { key: 'again', headers: { 'x-request-id': 'first' } });
    const before = await totals();
    for (const requestId of ['second', 'third']) {
      const replay = await client.create(hook, { key: 'again', headers: { 'x-request-id': requestId } });
      expect([replay.status, replay.body]).toEqual([200, first.body]);
      expect(replay.headers.get('x-request-id')).toBe(requestId);
      expect(replay.headers.get('idempotent-replayed')).toBe('true');
    }
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(await totals()).toEqual(before);
  });

  it('[REQ7] a key in quotes: the key without its quotes', async () => {
    const plain = await client.create({}, { key: 'in-quotes' });
    const quoted = await client.create({}, { key: '"in-quotes"' });
    expect([quoted.body.job_id, quoted.headers.get('idempotent-replayed')]).toEqual([
      plain.body.job_id,
      'true',
    ]);
    for (const key of ['"', '""', '"a', 'a"', '"a b"', '""a""'])
      expect((await client.create({}, { key })).body.code, key).toBe('INVALID_IDEMPOTENCY_KEY');
  });

  it('[BF39] another body: 409 with what differs; the first job is unchanged', async () => {
    const first = await client.create({}, { key: 'taken' });
    const changes: [Record<string, string | null>, string[]][] = [
      [{ rows_json: rowsJson(goodRows(4)) }, ['rows']],
      [{ max_failed_row_percent: '1' }, ['max_failed_row_percent']],
      [{ flatten_forms: 'true' }, ['flatten_forms']],
      [{ include_stickers: 'true' }, ['include_stickers']],
      [{ filename_columns: '["column_0"]' }, ['filename_columns']],
      [{ dry_run: 'true' }, ['dry_run']],
      [hook, ['delivery_mode', 'webhook_secret', 'webhook_url']],
    ];
    for (const [change, differs_in] of changes) {
      const { status, body } = await client.create(change, { key: 'taken' });
      expect([status, body]).toEqual([
        409,
        { code: 'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH', message: MESSAGE, differs_in },
      ]);
    }
    expect((await client.get(first.body.job_id)).body).toEqual(first.body);
  });

  it('[BF39][BF76] another webhook secret: 409 that shows no secret, and none is stored in plain text', async () => {
    await client.create(hook, { key: 'secret' });
    const { body, text } = await client.create({ ...hook, webhook_secret: 'other' }, { key: 'secret' });
    expect(body.differs_in).toEqual(['webhook_secret']);
    expect(text).not.toContain('other');
    const tables = await exportedTables(scene.server.env);
    expect(tables.get('jobs')).toContain('https://hooks.test/a');
    expect(tablesThatStore(tables, SECRET)).toEqual([]);
  });

  it('[BF40] a key after 24 hours: new; before that: the same job', async () => {
    const first = await client.create({ rows_json: rowsJson(goodRows(5)) }, { key: 'day' });
    const left = new Date(first.body.created_at).getTime() + 86_400_000 - scene.server.clock.now().getTime();
    scene.server.clock.advance(left - 60_000);
    const late = await client.create({ rows_json: rowsJson(goodRows(5)) }, { key: 'day' });
    expect(late.body.job_id).toBe(first.body.job_id);
    scene.server.clock.advance(61_000);
    const next = await client.create({ rows_json: rowsJson(goodRows(6)) }, { key: 'day' });
    expect([next.status, next.body.job_id === first.body.job_id]).toEqual([200, false]);
  });

  it('[BF42] a rejected request: leaves its key free', async () => {
    for (const bad of [
      { pdf: new Uint8Array(1) },
      { rows_json: '[]' },
      { dry_run: 'x' },
      { doqlo_file: new Uint8Array(9) },
    ])
      expect((await client.create(bad, { key: 'fix-me' })).status).toBeGreaterThanOrEqual(400);
    const { items } = (await operator.get<Listed<object>>('/request-keys?key=fix-me')).body;
    expect(items).toEqual([]);
    expect((await client.create({}, { key: 'fix-me' })).status).toBe(200);
  });

  it('[BF43] many identical creates at once: one job', async () => {
    const rows = { rows_json: rowsJson(goodRows(7)) };
    const { used } = await quotaOf(operator, client.account.name);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => client.create(rows, { key: 'stampede' })),
    );
    expect(new Set(answers.map(({ body }) => body.job_id)).size).toBe(1);
    for (const { status } of answers) expect([200, 202]).toContain(status);
    expect(await listAll(operator, '/jobs?q=stampede')).toHaveLength(1);
    expect(await quotaOf(operator, client.account.name)).toEqual({ used: used + 7, reserved: 0 });
  });

  it('[BF43] two bodies under one key at once: one job; the other body gets 409', async () => {
    const bodies = [{ rows_json: rowsJson(goodRows(8)) }, { rows_json: rowsJson(goodRows(9)) }];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => client.create(bodies[i % 2], { key: 'duel' })),
    );
    const sorted = answers.map(({ status }) => (status === 409 ? 409 : 200)).sort();
    expect(sorted).toEqual([...Array(10).fill(200), ...Array(10).fill(409)]);
    expect(new Set(answers.flatMap(({ body }) => body.job_id ?? [])).size).toBe(1);
  });

  it('[BF44] one key in two accounts: two jobs', async () => {
    const other = await scene.another();
    const mine = await client.create({}, { key: 'shared' });
    const theirs = await other.create({ rows_json: rowsJson(goodRows(1)) }, { key: 'shared' });
    expect([mine.status, theirs.status]).toEqual([200, 200]);
    expect(theirs.body.job_id).not.toBe(mine.body.job_id);
  });
});

describe('[BF41] the effective body', () => {
  it('another field order, boundary, file name, JSON spelling, CSV or written-out default: the same body', async () => {
    const first = await client.create({}, { key: 'same' });
    const { pdf, doqlo_file } = client.usual;
    const spelt: Record<string, string | Uint8Array | null | undefined>[] = [
      { rows_json: JSON.stringify(goodRows(3), null, 4) },
      {
        rows_json:
          '[{"x":null,"column_0":"Row 1"},{"column_0":"\\u0052ow 2","column_1":""},{"column_0":"Row 3"}]',
      },
      { rows_json: null, csv_file: 'Row 1\r\n"Row 2",\r\nRow 3,,,\r\n\r\n' },
      { rows_json: null, csv_file: 'anything\nRow 1\nRow 2\nRow 3', csv_header: 'true' },
      { include_stickers: 'false', flatten_forms: 'false', dry_run: 'false', csv_header: 'false' },
      { delivery_mode: 'response', filename_columns: '[]' },
    ];
    for (const change of spelt) {
      const { status, body } = await client.create(change, { key: 'same' });
      expect([status, body.job_id], JSON.stringify(change)).toEqual([200, first.body.job_id]);
    }
    const form = new FormData();
    form.append('max_failed_row_percent', '0');
    form.append('rows_json', new Blob([rowsJson(goodRows(3))]), 'rows.json');
    form.append('doqlo_file', new Blob([doqlo_file as Uint8Array<ArrayBuffer>]), 'b.doqlo');
    form.append('pdf', new Blob([pdf as Uint8Array<ArrayBuffer>]), 'another name.pdf');
    const turned = await client.post(form, { 'idempotency-key': 'same' });
    expect(turned.body.job_id).toBe(first.body.job_id);
  });
});
