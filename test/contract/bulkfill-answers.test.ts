import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BulkfillClient, badRow, goodRows, rowsJson } from '../support/bulkfill-client.ts';
import {
  type BulkfillServer,
  letterPdf,
  nameLayout,
  seal,
  startBulkfillServer,
} from '../support/bulkfill-server.ts';

let server: BulkfillServer;
let client: BulkfillClient;
beforeAll(async () => {
  const [started, sealed] = await Promise.all([startBulkfillServer(), seal(nameLayout, letterPdf)]);
  server = started;
  client = new BulkfillClient(server, await server.account(), {
    pdf: letterPdf,
    doqlo_file: sealed,
    max_failed_row_percent: '0',
    rows_json: rowsJson(goodRows(3)),
  });
});
afterAll(() => server.stop());

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
});
