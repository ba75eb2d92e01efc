import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BulkfillClient,
  badRow,
  goodRows,
  openScene,
  rowsJson,
  type Scene,
} from '../support/bulkfill-client.ts';
import { signedIn } from '../support/console-client.ts';
import { exportedTables } from '../support/exported-tables.ts';
import { jobDetails, quotaOf } from '../support/operator-views.ts';

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
  it('[BF32][BF34][BF35] a job that completes in time: 200 with the result', async () => {
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

  it('[BF32][BF46][BF48] a job that fails in time: 500 with the envelope, even on replay; GET is 200', async () => {
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

  it('[BF33] a create in webhook mode: 200 without a result, completed or failed; GET shows the result', async () => {
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

  it('[BF32][BF38][BF77] a job that does not settle in time: 202, and with Prefer: wait the replay waits for it', async () => {
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

  it('[BF45] a share of failed rows equal to the threshold: completes; one more row fails the job', async () => {
    const equal = await client.create({ rows_json: failing(9, 1), max_failed_row_percent: '10' });
    expect([equal.status, equal.body.status]).toEqual([200, 'completed']);
    const above = await client.create({ rows_json: failing(8, 2), max_failed_row_percent: '10' });
    expect([above.status, above.body.error?.details?.failed_row_percent]).toEqual([500, 20]);
  });

  it('[BF45] a threshold of 100 when every row fails: the job completes with the manifest alone', async () => {
    const { status, body } = await client.create({ rows_json: failing(0, 3), max_failed_row_percent: '100' });
    expect([status, body.status]).toEqual([200, 'completed']);
    const { files, manifest } = await client.archive(body.job_id);
    expect(Object.keys(files)).toEqual(['manifest.json']);
    expect(manifest.summary).toMatchObject({ produced_rows: 0, failed_rows: 3, applied_overlay_count: 0 });
  });

  it('[BF47] a threshold crossed in one of many slices: the counts of a run row by row', async () => {
    // The row that exceeds the limit is the 31st failure: 2 % of 1,500 rows is 30.
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

  it('[BF48] a job that crosses the threshold: no artifact, charge or event; it stays readable', async () => {
    const operator = await signedIn(scene.server);
    const events = async () => (await exportedTables(scene.server.env)).get('events');
    const before = [await quotaOf(operator, client.account.name), await events()];
    const { body } = await client.create({ rows_json: failing(1, 1) });
    expect(await jobDetails(operator, body.job_id)).toMatchObject({ artifact: null, deliveries: [] });
    expect([await quotaOf(operator, client.account.name), await events()]).toEqual(before);
    expect((await client.get(body.job_id)).body).toEqual(body);
  });
});

describe('stopping', () => {
  it('[BF36] a create that waits while the server stops: 202, and its job stays', async () => {
    const waiting = client.create(
      { rows_json: rowsJson(Array(20_000).fill({ column_0: 'stopped' })) },
      { key: 'stopped' },
    );
    const key = () => client.request('/v1/bulkfill/idempotency-keys?key=stopped');
    await expect.poll(async () => (await key()).status, { timeout: 60_000, interval: 10 }).toBe(200);
    const stopped = scene.server.stop();
    const { status, body } = await waiting;
    expect(status).toBe(202);
    expect(['queued', 'processing']).toContain(body.status);
    await stopped;
  });
});
