import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  type BulkfillClient,
  badRow,
  type Fields,
  goodRows,
  openScene,
  rowsJson,
  type Scene,
} from '../support/bulkfill-client.ts';
import { type ConsoleClient, signedIn } from '../support/console-client.ts';
import { eventBody, jobDetails, quotaOf } from '../support/operator-views.ts';
import { only } from '../support/webhooks.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let scene: Scene;
let operator: ConsoleClient;
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
  operator = await signedIn(scene.server);
});
afterAll(() => scene.server.stop());

const hook = { delivery_mode: 'webhook', webhook_url: 'https://hooks.test/a', webhook_secret: 'shh' };
const rows = (count: number) => ({ rows_json: rowsJson(goodRows(count)) });
/** Sends a create and returns its response with the rows that it added to the account's bill. */
async function billed(client: BulkfillClient, fields: Fields): Promise<{ answer: Answer; rows: number }> {
  const before = (await quotaOf(operator, client.account.name)).used;
  const answer = await client.create(fields);
  return { answer, rows: (await quotaOf(operator, client.account.name)).used - before };
}

describe('[BF53] rate limits', () => {
  it('126 creates in a minute, rejected ones included: 120 pass, the others are 429', async () => {
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
    scene.server.clock.advance(61_000);
    expect((await client.create()).status).toBe(200);
  });

  it('downloads above their limit: 429; reads are counted apart', async () => {
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

  it('[BF54][BF56] five failed jobs in a row: a cooldown, which doubles the next time', async () => {
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
    scene.server.clock.advance(61_000);
    expect((await fail(client)).status).toBe(500);
    const again = await client.create();
    expect(again.body.retry_after_seconds).toBeGreaterThan(100);
    expect(again.body.retry_after_seconds).toBeLessThanOrEqual(120);
    scene.server.clock.advance(121_000);
    expect((await client.create()).status).toBe(200);
  });

  it('[BF55] half of twenty jobs of an hour failed: a cooldown', async () => {
    const client = await scene.another();
    for (let i = 0; i < 10; i += 1) {
      expect((await client.create({ rows_json: rowsJson([{ column_0: `good ${i}` }]) })).status).toBe(200);
      expect((await fail(client)).status).toBe(500);
    }
    const { status, body, headers } = await client.create();
    expect([status, body.code]).toEqual([429, 'HIGH_FAIL_RATIO_COOLDOWN']);
    expect(headers.get('retry-after')).toBe(String(body.retry_after_seconds));
    expect(body.retry_after_seconds).toBeGreaterThan(590);
    scene.server.clock.advance(601_000);
    expect((await client.create()).status).toBe(200);
  });

  it('[BF83] cancelled jobs: no cooldown', async () => {
    const client = await scene.another();
    const ids: string[] = [];
    // The first job occupies the only thread; the others queue behind it.
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
  it('[BF51][BF52] jobs of a month: completed ones bill their rows, failed ones release them, the next month is new', async () => {
    const client = await scene.another('free');
    const partly = await billed(client, {
      rows_json: rowsJson([...goodRows(58), badRow, badRow]),
      max_failed_row_percent: '50',
    });
    expect(partly.rows).toBe(60);
    const failed = await billed(client, { rows_json: rowsJson([...goodRows(39), badRow]) });
    expect([failed.answer.status, failed.rows]).toEqual([500, 0]);
    expect(await quotaOf(operator, client.account.name)).toEqual({ used: 60, reserved: 0 });
    const over = await client.create(rows(41));
    expect([over.status, over.body.code]).toEqual([403, 'EXPORT_QUOTA_EXCEEDED']);
    const fits = await billed(client, { ...hook, ...rows(40) });
    expect([fits.answer.status, fits.rows]).toEqual([200, 40]);
    expect((await client.create({ rows_json: rowsJson([{ column_0: 'one more' }]) })).status).toBe(403);
    scene.server.clock.advance(31 * DAY_MS);
    // The key is a month older too; it is valid for a year.
    expect((await client.create({ rows_json: rowsJson([{ column_0: 'next month' }]) })).status).toBe(200);
  });

  it('[BF51] creates at the same moment: cannot exceed the quota', async () => {
    const client = await scene.another('team');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        client.create({ rows_json: rowsJson(Array(3).fill({ column_0: `p${i}` })) }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(5);
  });

  it('[BF78] a dry run: bills nothing and makes a ZIP with the manifest alone', async () => {
    const client = await scene.another('team');
    const dry = await billed(client, { ...rows(40), dry_run: 'true' });
    expect([dry.answer.status, dry.rows]).toEqual([200, 0]);
    const { body } = dry.answer;
    const { files, manifest } = await client.archive(body.job_id);
    expect(Object.keys(files)).toEqual(['manifest.json']);
    expect(manifest.summary).toMatchObject({ produced_rows: 40, success_rows: 40 });
    expect(manifest.options).toMatchObject({ dry_run: true });
  });
});

describe('reuse', () => {
  it('[BF49] the same work again: a new job with the earlier artifact, not billed, marked in the webhook', async () => {
    const client = await scene.another('team');
    const first = await client.create(rows(6));
    const again = await billed(client, { ...rows(6), ...hook });
    const second = again.answer;
    expect([second.status, second.body.status, again.rows]).toEqual([200, 'completed', 0]);
    expect(second.body.job_id).not.toBe(first.body.job_id);
    const [a, b] = await Promise.all([first, second].map(({ body }) => client.archive(body.job_id)));
    expect(Buffer.compare(a?.bytes ?? Buffer.alloc(0), b?.bytes ?? Buffer.alloc(1))).toBe(0);
    const { id } = only((await jobDetails(operator, second.body.job_id)).deliveries);
    expect(await eventBody(operator, id)).toMatchObject({ reused_result: true, status: 'completed' });
    const changed = await client.create({ ...rows(6), max_failed_row_percent: '1' });
    expect([changed.status, changed.body.code]).toEqual([403, 'EXPORT_QUOTA_EXCEEDED']);
    const stranger = await scene.another('team');
    expect((await billed(stranger, rows(6))).rows).toBe(6);
  });

  it('[BF50] a reused artifact: deliverable for 6 hours, but not longer than the artifact exists', async () => {
    const client = await scene.another();
    const { clock } = scene.server;
    const until = (answer: { body: { result?: { expires_at: string } | undefined } }) =>
      new Date(answer.body.result?.expires_at ?? 0).getTime();
    const first = await client.create(rows(2));
    const made = new Date(first.body.completed_at ?? '').getTime();
    let last = first;
    for (const hours of [5, 5, 5]) {
      clock.advance(hours * HOUR_MS);
      const reused = await billed(client, rows(2));
      last = reused.answer;
      expect(reused.rows).toBe(0);
      expect(until(last)).toBe(new Date(last.body.completed_at ?? '').getTime() + 6 * HOUR_MS);
    }
    clock.advance(5 * HOUR_MS);
    last = await client.create(rows(2));
    expect(until(last)).toBe(made + 24 * HOUR_MS);
    clock.advance(5 * HOUR_MS);
    expect((await billed(client, rows(2))).rows).toBe(2);
  });
});
