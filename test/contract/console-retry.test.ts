import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExportJob } from '#bulkfill/contract.ts';
import type { JobDetail, ProblemRow } from '#console/contract/jobs.ts';
import { badRow, goodRows, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { codeLayout } from '../support/bulkfill-server.ts';
import { type ConsoleClient, type Listed, signedIn } from '../support/console-client.ts';

let scene: Scene;
let operator: ConsoleClient;
beforeAll(async () => {
  const columns = [{ key: 'column_0', label: 'Guest (first name)' }];
  scene = await openScene({ layout: { ...codeLayout, columns } });
  operator = await signedIn(scene.server);
});
afterAll(() => scene.server.stop());

const detail = async (id: string) => (await operator.get<JobDetail>(`/jobs/${id}`)).body;
const troubled = { rows_json: rowsJson([...goodRows(3), badRow]), max_failed_row_percent: '50' };

it('[CON66] a job with failed rows: names a retry, which makes a job of these rows', async () => {
  const { body: job } = await scene.client.create(troubled);
  const { retry } = await detail(job.job_id);
  expect(retry).toEqual({
    path: `/operator/v1/acting/bulkfill/export-jobs/${job.job_id}/retry`,
    rows: 1,
    all: false,
    possible: true,
  });
  const path = retry?.path.replace('/operator/v1', '') ?? '';
  const send = (key: string) =>
    operator.request<ExportJob>('POST', path, {
      headers: {
        'x-rowpress-account': scene.client.account.name,
        'idempotency-key': key,
        prefer: 'wait=0',
        'content-type': 'application/json',
      },
      body: '{}',
    });
  const key = randomUUID();
  const made = await send(key);
  expect(made.status).toBe(202);
  expect((await send(key)).body.job_id).toBe(made.body.job_id);
  expect((await detail(made.body.job_id)).rows.total).toBe(1);
});

it('[CON66] nothing failed: no retry; a failed job: all rows; deleted inputs: a retry that is not possible', async () => {
  const { body: good } = await scene.client.create({ rows_json: rowsJson(goodRows(2)) });
  expect((await detail(good.job_id)).retry).toBeNull();
  const { body: failed } = await scene.client.create({ rows_json: rowsJson([badRow, ...goodRows(3)]) });
  expect((await detail(failed.job_id)).retry).toMatchObject({ rows: 4, all: true, possible: true });
  expect((await detail(failed.job_id)).files.map(({ is_stored }) => is_stored)).toEqual([true, true, true]);
  scene.server.clock.advance(28 * 86_400_000);
  await scene.server.sweep();
  const later = await detail(failed.job_id);
  expect(later.retry).toMatchObject({ possible: false });
  expect(later.files).toMatchObject([
    { kind: 'pdf', is_stored: false, pages: 1 },
    { kind: 'package', is_stored: false },
    { kind: 'rows', is_stored: false, rows: 4 },
  ]);
});

it('[CON67] the inputs of a job: name, kind, size, pages and rows, also for a job that reuses a result', async () => {
  const rows = rowsJson(goodRows(5));
  const { body: job } = await scene.client.create({ rows_json: rows });
  const { files, inputs } = await detail(job.job_id);
  const file = { is_stored: true, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), pages: null, rows: null };
  expect(files).toEqual([
    { ...file, kind: 'pdf', name: 'pdf.bin', size_bytes: pdfBytes(), pages: 1 },
    { ...file, kind: 'package', name: 'doqlo_file.bin', size_bytes: expect.any(Number) },
    { ...file, kind: 'rows', name: null, size_bytes: rows.length, rows: 5 },
  ]);
  expect(inputs).toHaveLength(3);
  const { body: reused } = await scene.client.create({ rows_json: rows });
  const again = await detail(reused.job_id);
  expect([again.reused_from, again.files]).toEqual([job.job_id, files]);
});

const pdfBytes = () => (scene.client.usual.pdf as Uint8Array).length;

it('[CON68] a row with a problem: named by the label of its column, not by its key', async () => {
  const { body: job } = await scene.client.create(troubled);
  const { body } = await operator.get<Listed<ProblemRow>>(`/jobs/${job.job_id}/problem-rows`);
  expect(body.items.find(({ row_number }) => row_number === 4)).toEqual({
    row_number: 4,
    status: 'failed',
    code: 'ROW_VALUE_INVALID',
    message: '“Guest (first name)” holds an object or an array instead of text.',
    field: null,
    column: 'column_0',
    column_label: 'Guest (first name)',
  });
});
