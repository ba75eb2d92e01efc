import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LayoutInput } from '#fill/package/layout-schema.ts';
import { type BulkfillClient, badRow, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';

interface Problem {
  readonly row_number: number;
  readonly status: string;
  readonly code: string;
}
interface Page {
  readonly data: readonly Problem[];
  readonly next_cursor: string | null;
  readonly code?: string;
}

const box = { page: 1, x: 72, y: 100, width: 60, height: 14 };
const layout: LayoutInput = {
  format: 'rowpress.layout',
  version: 1,
  columns: [
    { key: 'column_0', label: 'Full name' },
    { key: 'column_1', label: 'Ticket' },
  ],
  overlays: [
    {
      ...box,
      id: 'name',
      type: 'text',
      value: { column: 'column_0' },
      size: 12,
      min_size: 12,
      fit: 'clip',
    },
    { ...box, id: 'code', type: 'qr', y: 200, width: 90, height: 90, value: { column: 'column_1' } },
    {
      ...box,
      id: 'both',
      type: 'text',
      y: 300,
      value: { template: '{{column_0}} {{column_1}}' },
      fit: 'clip',
    },
  ],
};
const secret = 'a-very-private-name that is far too wide for its box';
const rows = [
  { column_0: 'Ada', column_1: 'T1' },
  { ...badRow, column_1: 'T2' },
  { column_0: 'Eva', column_1: '' },
  { column_0: secret, column_1: 'T4' },
];

let scene: Scene;
let client: BulkfillClient;
beforeAll(async () => {
  scene = await openScene({ layout });
  client = scene.client;
});
afterAll(() => scene.server.stop());

const list = async (jobId: string, query = '', by = client) =>
  by.request<Page>(`/v1/bulkfill/export-jobs/${jobId}/problem-rows${query}`);

it('[BF95] a settled job with problems: lists them in row order, with labels and without values', async () => {
  const { body: job } = await client.create({ rows_json: rowsJson(rows), max_failed_row_percent: '100' });
  const { status, body, text } = await list(job.job_id);
  expect(status).toBe(200);
  expect(body.next_cursor).toBeNull();
  const none = { overlay_id: null, field: null, column: null, column_label: null };
  expect(body.data).toEqual([
    {
      ...none,
      row_number: 2,
      status: 'failed',
      code: 'ROW_VALUE_INVALID',
      message: expect.any(String),
      column: 'column_0',
      column_label: 'Full name',
    },
    {
      ...none,
      row_number: 3,
      status: 'partial',
      code: 'CODE_VALUE_BLANK',
      message: expect.any(String),
      overlay_id: 'code',
      column: 'column_1',
      column_label: 'Ticket',
    },
    {
      ...none,
      row_number: 4,
      status: 'noted',
      code: 'TEXT_CLIPPED',
      message: expect.any(String),
      overlay_id: 'name',
      column: 'column_0',
      column_label: 'Full name',
    },
    {
      ...none,
      row_number: 4,
      status: 'noted',
      code: 'TEXT_CLIPPED',
      message: expect.any(String),
      overlay_id: 'both',
    },
  ]);
  expect(text).not.toContain('private');

  for (const status of ['failed', 'partial', 'noted']) {
    const filtered = (await list(job.job_id, `?status=${status}`)).body;
    expect(filtered).toEqual({ data: body.data.filter((row) => row.status === status), next_cursor: null });
    expect(filtered.data.length).toBeGreaterThan(0);
  }
  const pages: Problem[] = [];
  let at = '';
  for (let i = 0; i < body.data.length; i += 1) {
    const page = (await list(job.job_id, `?limit=1${at}`)).body;
    pages.push(...page.data);
    at = `&cursor=${page.next_cursor}`;
  }
  expect(pages).toEqual(body.data);
  expect(at).toBe('&cursor=null');
});

it('[BF95] a job over its threshold: lists the failed rows up to the abort point', async () => {
  const { body: job } = await client.create({
    rows_json: rowsJson([rows[0], badRow, rows[2], badRow, badRow, rows[0]]),
    max_failed_row_percent: '20',
  });
  expect(job).toMatchObject({ status: 'failed', error: { code: 'FAILED_ROW_THRESHOLD_EXCEEDED' } });
  const { body } = await list(job.job_id);
  expect(body.data.map(({ row_number, status }) => [row_number, status])).toEqual([
    [2, 'failed'],
    [3, 'partial'],
    [4, 'failed'],
  ]);
});

it('[BF95] another account, an unknown job and bad queries: the usual refusals', async () => {
  const { body: job } = await client.create({ rows_json: rowsJson([rows[0]]) });
  expect((await list(job.job_id)).body).toEqual({ data: [], next_cursor: null });
  const stranger = await scene.another();
  const foreign = await list(job.job_id, '', stranger);
  expect([foreign.status, foreign.body.code]).toEqual([404, 'EXPORT_JOB_NOT_FOUND']);
  expect((await list('none')).body.code).toBe('INVALID_JOB_ID');
  for (const query of ['?cursor=x', '?status=success', '?limit=0', '?limit=1001'])
    expect([query, (await list(job.job_id, query)).body.code]).toEqual([query, 'INVALID_FIELD']);
});

it('[BF95] a reused result: lists the problems of the job that made it, even without its files', async () => {
  const fields = { rows_json: rowsJson([badRow, rows[0]]), max_failed_row_percent: '50' };
  const { body: first } = await client.create(fields);
  const { body: second } = await client.create(fields);
  expect(second.job_id).not.toBe(first.job_id);
  const expected = (await list(first.job_id)).body;
  expect(expected.data).toMatchObject([{ row_number: 1, status: 'failed' }]);
  await rm(join(scene.server.env.ROWPRESS_DATA_DIR ?? '', 'blobs'), { recursive: true });
  expect((await list(second.job_id)).body).toEqual(expected);
});
