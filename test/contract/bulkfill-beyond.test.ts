import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportJob } from '#bulkfill/contract.ts';
import { RowSources } from '#bulkfill/create/row-sources.ts';
import { bulkfillSurface } from '#bulkfill/surface.ts';
import {
  type BulkfillClient,
  badRow,
  goodRows,
  openScene,
  rowsJson,
  type Scene,
} from '../support/bulkfill-client.ts';
import { type ConsoleClient, signedIn } from '../support/console-client.ts';
import { sha256 } from '../support/fill-cli.ts';
import { quotaOf } from '../support/operator-views.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { workbook } from '../support/workbook.ts';

let scene: Scene;
let client: BulkfillClient;
let operator: ConsoleClient;
/** Current content of the stored selection `shelf:a`. */
let shelf = [['from the shelf']];
beforeAll(async () => {
  const find = async (accountId: string, selection: string) =>
    selection === 'a' && accountId === scene.client.account.id ? batches() : undefined;
  scene = await openScene({
    surroundings: {
      surfaces: [bulkfillSurface({ rowSources: new RowSources(new Map([['shelf', find]])) })],
    },
    scopes: ['read:shelf'],
  });
  client = scene.client;
  operator = await signedIn(scene.server);
});
afterAll(() => scene.server.stop());

async function* batches() {
  yield shelf;
}

const JOBS = '/v1/bulkfill/export-jobs';
const sameRows = { rows_json: null, csv_file: null, rows_file: null };
async function texts(jobId: string): Promise<string[]> {
  const { files, manifest } = await client.archive(jobId);
  return Promise.all(
    manifest.row_results.flatMap(({ file_name }) =>
      file_name === null
        ? []
        : pageTexts(files[file_name] ?? new Uint8Array()).then(([page]) =>
            (page ?? '').replace('page 1', '').trim(),
          ),
    ),
  );
}

describe('rows_file', () => {
  it('[BF80][BF79] a workbook: its first sheet gives the same rows as CSV and JSON', async () => {
    const sheet = workbook([
      ['Name', 'Amount'],
      ['Ada', 1.5],
      [null, 'no name'],
      ['12345678901234567890', true],
      [{ day: 45_292 }, null],
    ]);
    const first = await client.create(
      { ...sameRows, rows_file: sheet, csv_header: 'true' },
      { key: 'sheet' },
    );
    expect([first.status, first.body.code]).toEqual([200, undefined]);
    expect(await texts(first.body.job_id)).toEqual(['Ada', '', '12345678901234567890', '1/1/2024']);
    const csv = 'Ada,1.5\n,no name\n12345678901234567890,TRUE\n1/1/2024\n';
    const again = await client.create({ ...sameRows, csv_file: csv }, { key: 'sheet' });
    expect(again.body.job_id).toBe(first.body.job_id);
    const whole = await client.create({ ...sameRows, rows_file: sheet });
    expect((await texts(whole.body.job_id))[0]).toBe('Name');
  });

  it('[BF80] a workbook that cannot be read: 400; one without rows: 422', async () => {
    for (const rows_file of [
      new Uint8Array(0),
      new TextEncoder().encode('a,b\n'),
      workbook([['a']]).slice(0, 300),
    ]) {
      const { status, body } = await client.create({ ...sameRows, rows_file });
      expect([status, body.code]).toEqual([400, 'INVALID_FIELD']);
      expect(body.message).toContain('rows_file');
    }
    const empty = await client.create({ ...sameRows, rows_file: workbook([]) });
    expect([empty.status, empty.body.code]).toEqual([422, 'NO_ROWS']);
  });
});

describe('cell_values', () => {
  const sheet = workbook([
    [{ n: 42, as: '00000' }, { day: 45_292 }],
    [{ error: '#N/A' }, true],
  ]);

  it('[BF90] shown by default, raw on request: different rows, and so different requests', async () => {
    const shown = await client.create({ ...sameRows, rows_file: sheet }, { key: 'cells' });
    expect(await texts(shown.body.job_id)).toEqual(['00042', '']);
    const spelled = await client.create(
      { ...sameRows, rows_file: sheet, cell_values: 'shown' },
      { key: 'cells' },
    );
    expect(spelled.body.job_id).toBe(shown.body.job_id);
    const raw = await client.create({ ...sameRows, rows_file: sheet, cell_values: 'raw' }, { key: 'cells' });
    expect([raw.status, raw.body.differs_in]).toEqual([409, ['rows']]);
    const fresh = await client.create({ ...sameRows, rows_file: sheet, cell_values: 'raw' });
    expect(await texts(fresh.body.job_id)).toEqual(['42', '']);
    const odd = await client.create({ ...sameRows, rows_file: sheet, cell_values: 'formatted' });
    expect([odd.status, odd.body.code]).toEqual([400, 'INVALID_FIELD']);
    expect(odd.body.message).toBe('cell_values must be shown or raw, but is "formatted".');
  });

  it('[FILL133] a cell with an error: blank, a note in the manifest, and none for a blank cell', async () => {
    const { body } = await client.create({ ...sameRows, rows_file: sheet });
    const { manifest } = await client.archive(body.job_id);
    const [first, second] = manifest.row_results;
    expect(first?.warnings).toEqual([]);
    expect(second).toMatchObject({ status: 'success', skipped_overlay_count: 0 });
    expect(second?.warnings).toEqual([
      { code: 'CELL_ERROR', message: expect.stringContaining('column_0 is left blank'), overlay_id: 'name' },
    ]);
    const blank = await client.create({ ...sameRows, rows_json: '[{"column_0":null}]' });
    expect((await client.archive(blank.body.job_id)).manifest.row_results[0]?.warnings).toEqual([]);
  });
});

describe('csv_encoding', () => {
  const latin = Buffer.from('Müller;München\n', 'latin1');

  it('[BF91] any label of the standard: the same rows as in UTF-8', async () => {
    const given = { ...sameRows, csv_file: latin, csv_encoding: 'Latin1' };
    const first = await client.create(given, { key: 'encoded' });
    expect(await texts(first.body.job_id)).toEqual(['Müller']);
    const utf8 = await client.create({ ...sameRows, csv_file: 'Müller;München\n' }, { key: 'encoded' });
    expect(utf8.body.job_id).toBe(first.body.job_id);
    const other = await client.create({ ...given, csv_encoding: 'windows-1251' }, { key: 'encoded' });
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH']);
  });

  it('[BF91] an unknown label, or bytes that are not in the encoding: 400 that names them', async () => {
    const unknown = await client.create({ ...sameRows, csv_file: latin, csv_encoding: 'klingon' });
    expect([unknown.status, unknown.body.code]).toEqual([400, 'INVALID_FIELD']);
    expect(unknown.body.message).toContain('csv_encoding');
    expect(unknown.body.message).toContain('"klingon"');
    const undecoded = await client.create({ ...sameRows, csv_file: latin });
    expect([undecoded.status, undecoded.body.code]).toEqual([400, 'INVALID_CSV']);
    expect(undecoded.body.message).toBe(
      'Byte 0xFC at offset 1 is not UTF-8; the file is probably windows-1252: set csv_encoding=windows-1252, or save the file as UTF-8 (in a spreadsheet: "CSV UTF-8").',
    );
  });
});

describe('[BF81] rows_from', () => {
  it('a stored selection that changes later: a replay returns the same job', async () => {
    const first = await client.create({ ...sameRows, rows_from: 'shelf:a' }, { key: 'shelf' });
    expect(await texts(first.body.job_id)).toEqual(['from the shelf']);
    shelf = [['grown'], ['since']];
    const replay = await client.create({ ...sameRows, rows_from: 'shelf:a' }, { key: 'shelf' });
    expect(replay.body.job_id).toBe(first.body.job_id);
    const fresh = await client.create({ ...sameRows, rows_from: 'shelf:a' });
    expect(await texts(fresh.body.job_id)).toEqual(['grown', 'since']);
  });

  it('an unknown selection: rejected', async () => {
    for (const rows_from of ['', 'shelf', 'shelf:b', 'nobody:a', 'constructor:a']) {
      const { status, body } = await client.create({ ...sameRows, rows_from });
      expect([rows_from, status, body.code]).toEqual([rows_from, 400, 'INVALID_FIELD']);
    }
    const stranger = await scene.another();
    expect((await stranger.create({ ...sameRows, rows_from: 'shelf:a' })).body.code).toBe('INVALID_FIELD');
  });
});

describe('reading more', () => {
  it('[BF82] a list of jobs: every job of the account once, newest first, in pages', async () => {
    const other = await scene.another();
    const made: string[] = [];
    for (let i = 1; i <= 5; i += 1)
      made.unshift((await other.create({ rows_json: rowsJson(goodRows(i)), dry_run: 'true' })).body.job_id);
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; page < 5 && cursor !== null; page += 1) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await other.request<{ data: ExportJob[]; next_cursor: string | null }>(
        `${JOBS}?limit=2${query}`,
      );
      seen.push(...body.data.map(({ job_id }) => job_id));
      cursor = body.next_cursor;
    }
    expect([seen, cursor]).toEqual([made, null]);
    const { body } = await other.request<{ data: ExportJob[] }>(JOBS);
    expect(body.data[0]).toEqual((await other.get(made[0] ?? '')).body);
    const id = '-'.repeat(36);
    const ancient = '-271821-04-20T00:00:00.000Z|00000000-0000-4000-8000-000000000000';
    const cursors = [`2026-01-01T00:00:00.000Z|${id}`, ancient].map(
      (text) => `cursor=${Buffer.from(text).toString('base64url')}`,
    );
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=nonsense', ...cursors]) {
      const bad = await other.request(`${JOBS}?${query}`);
      expect([query, bad.status, bad.body.code]).toEqual([query, 400, 'INVALID_FIELD']);
    }
  });

  it('[BF85] the manifest or one row: the bytes that the archive contains', async () => {
    const { body } = await client.create({
      rows_json: rowsJson([...goodRows(3), badRow]),
      max_failed_row_percent: '50',
    });
    const { files } = await client.archive(body.job_id);
    const get = async (what: string) => {
      const response = await client.fetch(`${JOBS}/${body.job_id}/${what}`);
      return {
        type: response.headers.get('content-type'),
        hash: sha256(Buffer.from(await response.arrayBuffer())),
      };
    };
    expect(await get('manifest')).toEqual({
      type: 'application/json; charset=utf-8',
      hash: sha256(files['manifest.json']),
    });
    for (const row of [1, 3])
      expect(await get(`rows/${row}.pdf`)).toEqual({
        type: 'application/pdf',
        hash: sha256(files[`row_${row}.pdf`]),
      });
    for (const row of ['0', '4', '5', '-1', '01', 'x', '99999999999']) {
      const { status } = await client.request(`${JOBS}/${body.job_id}/rows/${row}.pdf`);
      expect([row, status]).toEqual([row, 404]);
    }
  });

  it('[BF86] a page of a row: a picture', async () => {
    const { body } = await client.create();
    const path = `${JOBS}/${body.job_id}/rows/1.png`;
    const response = await client.fetch(`${path}?width=300`);
    const png = Buffer.from(await response.arrayBuffer());
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([300, 425]);
    expect((await client.request(`${path}?page=2`)).status).toBe(404);
    for (const query of ['width=5', 'width=9999', 'page=0', 'page=x'])
      expect((await client.request(`${path}?${query}`)).body.code, query).toBe('INVALID_FIELD');
  });

  it('[BF87] an Idempotency-Key: returns the job that it created', async () => {
    const { body } = await client.create({}, { key: 'known' });
    const known = await client.request('/v1/bulkfill/idempotency-keys?key=known');
    expect(known.body).toEqual({
      key: 'known',
      job_id: body.job_id,
      claimed_at: body.created_at,
      expires_at: new Date(new Date(body.created_at).getTime() + 86_400_000).toISOString(),
      status: 'completed',
    });
    const unknown = await client.request('/v1/bulkfill/idempotency-keys?key=unknown');
    const stranger = await (await scene.another()).request('/v1/bulkfill/idempotency-keys?key=known');
    expect([unknown.status, stranger.text]).toEqual([404, unknown.text]);
    expect(unknown.body.code).toBe('EXPORT_JOB_NOT_FOUND');
    for (const key of ['', 'a%00b', '%F0%9F%98%80', 'a%20b', 'x'.repeat(129)]) {
      const odd = await client.request(`/v1/bulkfill/idempotency-keys?key=${key}`);
      expect([key, odd.status, odd.body.code]).toEqual([key, 400, 'INVALID_FIELD']);
    }
  });

  it('[BF84] an event stream: progress as events, resumed after Last-Event-ID', async () => {
    const { body } = await client.create(
      { rows_json: rowsJson(Array(2_500).fill({ column_0: 'sse' })) },
      { headers: { prefer: 'wait=0' } },
    );
    const response = await client.fetch(`${JOBS}/${body.job_id}/events`);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const text = await response.text();
    const events = text.split('\n\n').filter((block) => block.startsWith('id:'));
    const last = events.at(-1) ?? '';
    expect(last).toContain('event: settled');
    expect(JSON.parse(last.slice(last.indexOf('data: ') + 6))).toEqual({
      job_id: body.job_id,
      status: 'completed',
      rows_total: 2_500,
      rows_done: 2_500,
      rows_failed: 0,
    });
    const id = /^id: (.*)$/m.exec(last)?.[1] ?? '';
    const again = await client.fetch(`${JOBS}/${body.job_id}/events`, { headers: { 'last-event-id': id } });
    expect(await again.text()).toBe('');
  });
});

describe('[BF83] DELETE', () => {
  it('DELETE of an open job: cancels it; of a settled job: deletes its files', async () => {
    const { used: billedBefore } = await quotaOf(operator, client.account.name);
    const open = await client.create(
      { rows_json: rowsJson(Array(20_000).fill({ column_0: 'cancel me' })) },
      { key: 'cancelled', headers: { prefer: 'wait=0' } },
    );
    const path = `${JOBS}/${open.body.job_id}`;
    const cancelled = await client.request(path, { method: 'DELETE' });
    expect([cancelled.status, cancelled.body.status, cancelled.body.error?.code]).toEqual([
      200,
      'failed',
      'EXPORT_CANCELLED',
    ]);
    expect((await client.get(open.body.job_id)).body).toEqual(cancelled.body);
    expect(await quotaOf(operator, client.account.name)).toEqual({ used: billedBefore, reserved: 0 });

    const done = await client.create({ rows_json: rowsJson([{ column_0: 'purge me' }]) });
    const purged = await client.request(`${JOBS}/${done.body.job_id}`, { method: 'DELETE' });
    expect([purged.status, purged.body.status, purged.body.result?.download_url]).toEqual([
      200,
      'completed',
      null,
    ]);
    expect((await client.request(`${JOBS}/${done.body.job_id}/download`)).status).toBe(404);
    const remade = await client.create({ rows_json: rowsJson([{ column_0: 'purge me' }]) });
    expect(await texts(remade.body.job_id)).toEqual(['purge me']);
  });
});

describe('retry', () => {
  const mixed = {
    rows_json: rowsJson([...goodRows(2), badRow, { column_0: 'Row 4' }, badRow]),
    max_failed_row_percent: '50',
  };
  const retry = (jobId: string, key: string, body?: object) =>
    client.request(`${JOBS}/${jobId}/retry`, {
      method: 'POST',
      headers: { 'idempotency-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });

  it('[BF88] a retry: a new job of the failed rows with their patches', async () => {
    const first = await client.create(mixed);
    const patch = { rows: [{ row_number: 5, cells: { column_0: 'mended' } }] };
    const second = await retry(first.body.job_id, 'retry-1', patch);
    expect([second.status, second.body.status]).toEqual([200, 'completed']);
    const { manifest } = await client.archive(second.body.job_id);
    expect(manifest.row_results).toMatchObject([
      { row_number: 1, source_row_number: 3, status: 'failed' },
      { row_number: 2, source_row_number: 5, status: 'success', file_name: 'row_2.pdf' },
    ]);
    expect(await texts(second.body.job_id)).toEqual(['mended']);
    expect((await retry(first.body.job_id, 'retry-1', patch)).body.job_id).toBe(second.body.job_id);
    const other = await retry(first.body.job_id, 'retry-1', { rows: [] });
    expect([other.status, other.body.differs_in]).toEqual([409, ['rows']]);
    const third = await retry(second.body.job_id, 'retry-2', {
      rows: [{ row_number: 1, cells: { column_0: 'at last' } }],
    });
    expect(await texts(third.body.job_id)).toEqual(['at last']);
  });

  it('[BF88] a retry of a failed job: all its rows', async () => {
    const failed = await client.create({ ...mixed, max_failed_row_percent: '0' });
    expect(failed.status).toBe(500);
    const second = await retry(failed.body.job_id, 'retry-all', { max_failed_row_percent: 100 });
    expect([second.status, (await client.archive(second.body.job_id)).manifest.rows]).toEqual([200, 5]);
  });

  it('[BF89] a retry without failed rows or after the inputs are deleted: rejected', async () => {
    const good = await client.create();
    const none = await retry(good.body.job_id, 'nothing');
    expect([none.status, none.body.code]).toEqual([422, 'NO_ROWS']);
    const keyless = await client.request(`${JOBS}/${good.body.job_id}/retry`, { method: 'POST' });
    expect(keyless.body.code).toBe('INVALID_IDEMPOTENCY_KEY');
    const first = await client.create({ ...mixed, filename_columns: '["column_0"]' });
    for (const body of [{ rows: [{ row_number: 1, cells: {} }] }, { rows: 'all' }, { surprise: 1 }]) {
      const wrong = await retry(first.body.job_id, 'wrong', body);
      expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_FIELD']);
    }
    await client.request(`${JOBS}/${first.body.job_id}`, { method: 'DELETE' });
    const gone = await retry(first.body.job_id, 'gone');
    expect([gone.status, gone.body.code]).toEqual([404, 'EXPORT_INPUT_GONE']);
    const open = await client.create(
      { rows_json: rowsJson(Array(20_000).fill({ column_0: 'still open' })) },
      { headers: { prefer: 'wait=0' } },
    );
    const early = await retry(open.body.job_id, 'early');
    expect([early.status, early.body.code]).toEqual([409, 'EXPORT_JOB_OPEN']);
  });
});
