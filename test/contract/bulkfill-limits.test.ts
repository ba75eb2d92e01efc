import { randomUUID } from 'node:crypto';
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
beforeAll(async () => {
  scene = await openScene({
    env: {
      ROWPRESS_BULKFILL_CREATE_PER_MINUTE: '120',
      ROWPRESS_BULKFILL_READ_PER_MINUTE: '1200',
      ROWPRESS_BULKFILL_DOWNLOAD_PER_MINUTE: '240',
      ROWPRESS_COOLDOWN_FAILED_JOBS: '5',
      ROWPRESS_COOLDOWN_RATIO_JOBS: '20',
      ROWPRESS_WEBHOOK_ALLOW: 'hooks.test',
      ROWPRESS_PLANS: '{"team":{"rows_per_month":10}}',
    },
    surroundings: { resolve: async () => [] },
  });
});
afterAll(() => scene.server.stop());

const hook = { delivery_mode: 'webhook', webhook_url: 'https://hooks.test/a', webhook_secret: 'shh' };
const rows = (count: number) => ({ rows_json: rowsJson(goodRows(count)) });
const ledger = async (jobId: string) =>
  only(
    (
      await scene.server.pool.query('select reserved_rows, billed_rows from quota_ledger where job_id = $1', [
        jobId,
      ])
    ).rows,
  );

describe('[BF53] rate limits', () => {
  it('let exactly 120 creates of a minute pass, refused ones included', async () => {
    const client = await scene.another();
    const post = () => client.post('x', { 'content-type': 'text/plain', 'idempotency-key': 'k' });
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1)
      statuses.push(...(await Promise.all(Array.from({ length: 21 }, post))).map(({ status }) => status));
    expect(statuses.filter((status) => status === 400)).toHaveLength(120);
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);
    const { status, body, headers } = await client.create();
    expect([status, body]).toEqual([
      429,
      { code: 'RATE_LIMITED', message: 'Too many requests. Retry later.' },
    ]);
    const after = Number(headers.get('retry-after'));
    expect(after).toBeGreaterThanOrEqual(1);
    expect(after).toBeLessThanOrEqual(60);
    expect((await client.get(randomUUID())).status).toBe(404);
    scene.server.clock.advance(61);
    expect((await client.create()).status).toBe(200);
  });

  it('of reads and downloads are their own', async () => {
    const client = await scene.another();
    const path = `/v1/bulkfill/export-jobs/${randomUUID()}/download`;
    const statuses: number[] = [];
    for (let round = 0; round < 5; round += 1)
      statuses.push(
        ...(await Promise.all(Array.from({ length: 50 }, () => client.request(path)))).map(
          ({ status }) => status,
        ),
      );
    expect(statuses.filter((status) => status === 404)).toHaveLength(240);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect((await client.get(randomUUID())).status).toBe(404);
  });
});

describe('cooldowns', () => {
  const fail = (client: BulkfillClient) => client.create({ rows_json: rowsJson([badRow]) });

  it('[BF54][BF56] follow five failed jobs in a row, and double', async () => {
    const client = await scene.another();
    const good = await client.create(rows(1), { key: 'good' });
    for (let i = 0; i < 5; i += 1) expect((await fail(client)).status).toBe(500);
    const { status, body, headers } = await client.create();
    expect(status).toBe(429);
    expect(body).toEqual({
      code: 'REPEATED_FAILED_JOBS_COOLDOWN',
      message: expect.any(String),
      retry_after_seconds: Number(headers.get('retry-after')),
    });
    expect(body.retry_after_seconds).toBeGreaterThan(50);
    expect(body.retry_after_seconds).toBeLessThanOrEqual(60);
    expect((await client.create(rows(1), { key: 'good' })).status).toBe(429);
    expect((await client.get(good.body.job_id)).status).toBe(200);
    expect((await client.archive(good.body.job_id)).manifest.rows).toBe(1);
    scene.server.clock.advance(61);
    expect((await fail(client)).status).toBe(500);
    const again = await client.create();
    expect(again.body.retry_after_seconds).toBeGreaterThan(100);
    expect(again.body.retry_after_seconds).toBeLessThanOrEqual(120);
    scene.server.clock.advance(121);
    expect((await client.create()).status).toBe(200);
  });

  it('[BF55] follow an hour in which half of at least twenty jobs failed', async () => {
    const client = await scene.another();
    for (let i = 0; i < 10; i += 1) {
      expect((await client.create({ rows_json: rowsJson([{ column_0: `good ${i}` }]) })).status).toBe(200);
      expect((await fail(client)).status).toBe(500);
    }
    const { status, body, headers } = await client.create();
    expect([status, body.code]).toEqual([429, 'HIGH_FAIL_RATIO_COOLDOWN']);
    expect(headers.get('retry-after')).toBe(String(body.retry_after_seconds));
    expect(body.retry_after_seconds).toBeGreaterThan(590);
    scene.server.clock.advance(601);
    expect((await client.create()).status).toBe(200);
  });

  it('[BF83] do not count cancelled jobs', async () => {
    const client = await scene.another();
    const ids: string[] = [];
    // The first keeps the only thread busy; the others wait behind it.
    for (let i = 0; i < 6; i += 1) {
      const { body } = await client.create(
        { rows_json: rowsJson(Array(i === 0 ? 40_000 : 10).fill({ column_0: `c${i}` })) },
        { headers: { prefer: 'wait=0' } },
      );
      ids.unshift(body.job_id);
    }
    for (const id of ids) {
      const { body } = await client.request(`/v1/bulkfill/export-jobs/${id}`, { method: 'DELETE' });
      expect([body.status, body.error?.code]).toEqual(['failed', 'EXPORT_CANCELLED']);
    }
    expect((await client.create()).status).toBe(200);
  });
});

describe('quota', () => {
  it('[BF51][BF52] bills requested rows of completed jobs, releases failed ones, and ends with the month', async () => {
    const client = await scene.another('free');
    const partly = await client.create({
      rows_json: rowsJson([...goodRows(58), badRow, badRow]),
      max_failed_row_percent: '50',
    });
    expect(await ledger(partly.body.job_id)).toMatchObject({ billed_rows: 60 });
    const failed = await client.create({ rows_json: rowsJson([...goodRows(39), badRow]) });
    expect(failed.status).toBe(500);
    expect(await ledger(failed.body.job_id)).toMatchObject({ billed_rows: 0 });
    const over = await client.create(rows(41));
    expect([over.status, over.body.code]).toEqual([403, 'EXPORT_QUOTA_EXCEEDED']);
    const fits = await client.create({ ...hook, ...rows(40) });
    expect(fits.status).toBe(200);
    expect(await ledger(fits.body.job_id)).toMatchObject({ billed_rows: 40 });
    expect((await client.create({ rows_json: rowsJson([{ column_0: 'one more' }]) })).status).toBe(403);
    scene.server.clock.advance(31 * 86_400);
    // The key has grown a month older too; it lives for a year.
    expect((await client.create({ rows_json: rowsJson([{ column_0: 'next month' }]) })).status).toBe(200);
  });

  it('[BF51] cannot be overspent by creates at the same moment', async () => {
    const client = await scene.another('team');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        client.create({ rows_json: rowsJson(Array(3).fill({ column_0: `p${i}` })) }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(5);
  });

  it('[BF78] of a dry run is nothing: its ZIP holds the manifest alone', async () => {
    const client = await scene.another('team');
    const { status, body } = await client.create({ ...rows(40), dry_run: 'true' });
    expect(status).toBe(200);
    expect(await ledger(body.job_id)).toMatchObject({ billed_rows: 0 });
    const { files, manifest } = await client.archive(body.job_id);
    expect(Object.keys(files)).toEqual(['manifest.json']);
    expect(manifest.summary).toMatchObject({ produced_rows: 40, success_rows: 40 });
    expect(manifest.options).toMatchObject({ dry_run: true });
  });
});

describe('reuse', () => {
  it('[BF49] makes a new job of the earlier artifact, unbilled and marked in the webhook', async () => {
    const client = await scene.another('team');
    const first = await client.create(rows(6));
    const second = await client.create({ ...rows(6), ...hook });
    expect([second.status, second.body.status]).toEqual([200, 'completed']);
    expect(second.body.job_id).not.toBe(first.body.job_id);
    expect(await ledger(second.body.job_id)).toMatchObject({ billed_rows: 0 });
    const [a, b] = await Promise.all([first, second].map(({ body }) => client.archive(body.job_id)));
    expect(Buffer.compare(a?.bytes ?? Buffer.alloc(0), b?.bytes ?? Buffer.alloc(1))).toBe(0);
    const event = only(
      (await scene.server.pool.query('select body from events where job_id = $1', [second.body.job_id])).rows,
    );
    expect(JSON.parse(String(event.body))).toMatchObject({ reused_result: true, status: 'completed' });
    const changed = await client.create({ ...rows(6), max_failed_row_percent: '1' });
    expect([changed.status, changed.body.code]).toEqual([403, 'EXPORT_QUOTA_EXCEEDED']);
    const stranger = await scene.another('team');
    expect(await ledger((await stranger.create(rows(6))).body.job_id)).toMatchObject({ billed_rows: 6 });
  });

  it('[BF50] is deliverable for 6 hours, and no longer than the artifact lives', async () => {
    const client = await scene.another();
    const { clock } = scene.server;
    const until = (answer: { body: { result?: { expires_at: string } | undefined } }) =>
      new Date(answer.body.result?.expires_at ?? 0).getTime();
    const first = await client.create(rows(2));
    const made = new Date(first.body.completed_at ?? '').getTime();
    let last = first;
    for (const hours of [5, 5, 5]) {
      clock.advance(hours * 3600);
      last = await client.create(rows(2));
      expect(await ledger(last.body.job_id)).toMatchObject({ billed_rows: 0 });
      expect(until(last)).toBe(new Date(last.body.completed_at ?? '').getTime() + 6 * 3_600_000);
    }
    clock.advance(5 * 3600);
    last = await client.create(rows(2));
    expect(until(last)).toBe(made + 24 * 3_600_000);
    clock.advance(5 * 3600);
    const fresh = await client.create(rows(2));
    expect(await ledger(fresh.body.job_id)).toMatchObject({ billed_rows: 2 });
  });
});
