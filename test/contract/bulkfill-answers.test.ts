import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BulkfillClient,
  badRow,
  goodRows,
  openScene,
  rowsJson,
  type Scene,
} from '../support/bulkfill-client.ts';
import { only } from '../support/webhooks.ts';

let scene: Scene;
let client: BulkfillClient;
beforeAll(async () => {
  scene = await openScene({
    env: { ROWPRESS_WEBHOOK_ALLOW: 'hooks.test' },
    surroundings: { resolve: async () => [] },
  });
  client = scene.client;
});
afterAll(() => scene.server.stop());

const hook = { delivery_mode: 'webhook', webhook_url: 'https://hooks.test/a', webhook_secret: 'shh' };

describe('a create', () => {
  it('[BF32][BF34][BF35] that settles in time is 200 with the result', async () => {
    const { status, body, headers } = await client.create();
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(Object.keys(body)).toEqual([
      'job_id',
      'status',
      'created_at',
      'started_at',
      'completed_at',
      'result',
    ]);
    expect(body.status).toBe('completed');
    expect(body.result).toEqual({
      delivery_mode: 'direct',
      download_url: `/v1/bulkfill/export-jobs/${body.job_id}/download`,
      expires_at: new Date(new Date(body.completed_at ?? '').getTime() + 21_600_000).toISOString(),
      file_size_bytes: (await client.archive(body.job_id)).bytes.length,
    });
    expect((await client.get(body.job_id)).body).toEqual(body);
  });

  it('[BF32][BF46][BF48] that settles failed is 500 with the envelope, on replay too; GET is 200', async () => {
    const rows = { rows_json: rowsJson([badRow, ...goodRows(2)]) };
    const first = await client.create(rows, { key: 'fails' });
    expect(first.status).toBe(500);
    expect(first.body).toEqual({
      job_id: expect.any(String),
      status: 'failed',
      created_at: expect.any(String),
      started_at: expect.any(String),
      completed_at: expect.any(String),
      error: {
        code: 'FAILED_ROW_THRESHOLD_EXCEEDED',
        message: 'The export job exceeded max_failed_row_percent and was aborted.',
        details: {
          failure_class: 'threshold_failed',
          input_row_count: 3,
          produced_row_count: 0,
          failed_row_count: 1,
          failed_row_percent: 33.3333,
          max_failed_row_percent: 0,
        },
      },
    });
    const replay = await client.create(rows, { key: 'fails' });
    expect([replay.status, replay.body]).toEqual([500, first.body]);
    const read = await client.get(first.body.job_id);
    expect([read.status, read.body]).toEqual([200, first.body]);
    const download = await client.request(`/v1/bulkfill/export-jobs/${first.body.job_id}/download`);
    expect([download.status, download.body.code]).toEqual([404, 'EXPORT_DELIVERY_NOT_FOUND']);
  });

  it('[BF33] in webhook mode is 200 without a result, completed or failed; GET shows it', async () => {
    const good = await client.create({ ...hook, rows_json: rowsJson(goodRows(2)) });
    expect(good.status).toBe(200);
    expect(Object.keys(good.body)).toEqual(['job_id', 'status', 'created_at', 'started_at', 'completed_at']);
    const read = await client.get(good.body.job_id);
    expect(read.body).toEqual({ ...good.body, result: expect.objectContaining({ delivery_mode: 'direct' }) });
    const bad = await client.create({ ...hook, rows_json: rowsJson([badRow]) });
    expect([bad.status, bad.body.status, bad.body.error?.code]).toEqual([
      200,
      'failed',
      'FAILED_ROW_THRESHOLD_EXCEEDED',
    ]);
    expect(bad.body.result).toBeUndefined();
  });

  it('[BF32][BF38][BF77] that does not settle in time is 202, and so is its replay; Prefer: wait waits', async () => {
    const rows = { rows_json: rowsJson(goodRows(4_000)) };
    const open = await client.create(rows, { key: 'slow', headers: { prefer: 'wait=0' } });
    expect(open.status).toBe(202);
    expect(['queued', 'processing']).toContain(open.body.status);
    expect(open.body.result).toBeUndefined();
    expect(open.headers.get('location')).toBe(`/v1/bulkfill/export-jobs/${open.body.job_id}`);
    const settled = await client.create(rows, { key: 'slow', headers: { prefer: 'wait=60' } });
    expect([settled.status, settled.body.status]).toEqual([200, 'completed']);
    expect(settled.body.job_id).toBe(open.body.job_id);
  });
});

describe('the threshold', () => {
  const failing = (good: number, bad: number) => rowsJson([...goodRows(good), ...Array(bad).fill(badRow)]);

  it('[BF45] is strict: equality completes, one more fails', async () => {
    const equal = await client.create({ rows_json: failing(9, 1), max_failed_row_percent: '10' });
    expect([equal.status, equal.body.status]).toEqual([200, 'completed']);
    const above = await client.create({ rows_json: failing(8, 2), max_failed_row_percent: '10' });
    expect([above.status, above.body.error?.details?.failed_row_percent]).toEqual([500, 20]);
  });

  it('[BF45] of 100 lets every row fail: the job completes with a manifest alone', async () => {
    const { status, body } = await client.create({ rows_json: failing(0, 3), max_failed_row_percent: '100' });
    expect([status, body.status]).toEqual([200, 'completed']);
    const { files, manifest } = await client.archive(body.job_id);
    expect(Object.keys(files)).toEqual(['manifest.json']);
    expect(manifest.summary).toMatchObject({ produced_rows: 0, failed_rows: 3, applied_overlay_count: 0 });
  });

  it('[BF47] counts as if rows were filled one by one, over many slices', async () => {
    // The crossing row is the 31st failure: 2 % of 1,500 rows is 30.
    const rows = Array.from({ length: 1_500 }, (_, i) => (i % 40 === 39 ? badRow : { column_0: `R${i}` }));
    const { status, body } = await client.create({ rows_json: rowsJson(rows), max_failed_row_percent: '2' });
    expect(status).toBe(500);
    expect(body.error?.details).toEqual({
      failure_class: 'threshold_failed',
      input_row_count: 1_500,
      produced_row_count: 31 * 39,
      failed_row_count: 31,
      failed_row_percent: 2.0667,
      max_failed_row_percent: 2,
    });
  });

  it('[BF48] leaves a failed job without artifact, ledger charge or event; it stays readable', async () => {
    const { body } = await client.create({ rows_json: failing(1, 1) });
    const query = async (text: string) => (await scene.server.pool.query(text, [body.job_id])).rows;
    expect(await query('select id from artifacts where job_id = $1')).toEqual([]);
    expect(only(await query('select billed_rows from quota_ledger where job_id = $1'))).toEqual({
      billed_rows: 0,
    });
    expect(await query('select id from events where job_id = $1')).toEqual([]);
    expect((await client.get(body.job_id)).body).toEqual(body);
  });
});

describe('stopping', () => {
  it('[BF36] answers creates that wait with 202, and their jobs stay', async () => {
    const { pool } = scene.server;
    const waiting = client.create(
      { rows_json: rowsJson(Array(20_000).fill({ column_0: 'stopped' })) },
      { key: 'stopped' },
    );
    const accepted = async () =>
      (await pool.query("select 1 from jobs where request_key = 'stopped' and settled_at is null")).rows
        .length;
    for (let i = 0; i < 3_000 && (await accepted()) === 0; i += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const stopped = scene.server.stop();
    const { status, body } = await waiting;
    expect(status).toBe(202);
    expect(['queued', 'processing']).toContain(body.status);
    await stopped;
  });
});
