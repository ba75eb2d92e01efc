import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';

let free = 1e12;
let scene: Scene;
beforeAll(async () => {
  scene = await openScene({
    env: {
      ROWPRESS_PLANS: '{"small":{"max_stored_bytes":30000}}',
      ROWPRESS_MAX_STORED_BYTES: '1000000',
    },
    surroundings: { measureDisk: async () => ({ freeBytes: free, totalBytes: 1e12 }) },
  });
});
afterAll(() => scene.server.stop());

const metrics = async () => (await fetch(`${scene.server.url}/metrics`)).text();
async function fill(bytes: number): Promise<void> {
  free = bytes;
  await expect.poll(metrics, { interval: 100 }).toContain(`rowpress_disk_free_bytes ${bytes}\n`);
}

describe('[BLB31] [BLB42] a disk below its floor', () => {
  it('a disk below its floor: rejects creates, uploads, imports, exports and bulk loads, and serves reads', async () => {
    const first = await scene.client.create();
    expect(first.status).toBe(200);
    const { key: people } = await scene.server.account({ surface: 'subscribers' });
    const { key: partner } = await scene.server.account({ surface: 'ingest' });
    const send = async (key: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${scene.server.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const { data } = (await (await send(people, '/v1/jobs/subscriber-import-uploads', {})).json()) as {
      data: { upload_url: string };
    };
    await fill(511_999_999);
    const ready = await fetch(`${scene.server.url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      { checks: { disk: '511999999 free bytes; ROWPRESS_MIN_FREE_BYTES is 512000000' } },
    ]);

    const create = await scene.client.create();
    expect([create.status, create.body.code, create.headers.get('retry-after')]).toEqual([
      503,
      'STORAGE_FULL',
      '5',
    ]);
    expect(await scene.server.temporaryFiles()).toEqual([]);
    const upload = await fetch(data.upload_url, { method: 'PUT', body: 'email\na@b.example\n' });
    expect([upload.status, await upload.json()]).toMatchObject([503, { error: { code: 'storage_full' } }]);
    const mappings = [{ csv_column: 'email', field: { type: 'email' } }];
    const imported = await send(people, '/v1/jobs/subscriber-imports', {
      csv_text: 'email\na@b.example\n',
      mappings,
    });
    expect([imported.status, await imported.json()]).toMatchObject([
      503,
      { error: { code: 'storage_full' } },
    ]);
    const exported = await send(people, '/v1/jobs/subscriber-exports', {});
    expect(exported.status).toBe(503);
    const load = await send(partner, '/wms-ingest/v1/master/uoms?mode=bulk', [], {
      'x-correlation-id': randomUUID(),
    });
    expect([load.status, await load.json()]).toMatchObject([
      503,
      { type: expect.stringContaining('storage-full') },
    ]);

    expect((await scene.client.get(first.body.job_id)).status).toBe(200);
    expect((await scene.client.archive(first.body.job_id)).manifest.version).toBe(2);
    await fill(512_000_000);
    expect((await fetch(`${scene.server.url}/readyz`)).status).toBe(200);
    expect((await scene.client.create({ rows_json: rowsJson([{ column_0: 'again' }]) })).status).toBe(200);
  });
});

describe('[BLB32] the stored bytes of an account', () => {
  it('stored bytes above the plan: rejected until jobs are deleted', async () => {
    const small = await scene.another('small');
    const jobs: string[] = [];
    let last = await small.create({ rows_json: rowsJson([{ column_0: '0' }]) });
    for (let n = 1; last.status === 200 && n < 30; n += 1) {
      jobs.push(last.body.job_id);
      last = await small.create({ rows_json: rowsJson([{ column_0: String(n) }]) });
    }
    expect(jobs.length).toBeGreaterThan(0);
    expect([last.status, last.body.code]).toEqual([503, 'STORAGE_FULL']);
    expect(last.body.message).toMatch(/^This account stores \d+ bytes and its plan allows 30000\./);
    expect((await scene.client.create()).status).toBe(200);
    for (const job of jobs) await small.request(`/v1/bulkfill/export-jobs/${job}`, { method: 'DELETE' });
    expect((await small.create()).status).toBe(200);
  });
});

it('[BLB41] prepared bases that cannot be written: the create succeeds', async () => {
  const folder = join(scene.server.env.ROWPRESS_DATA_DIR ?? '', 'prepared');
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, 'not a folder');
  const other = await scene.another();
  expect((await other.create()).body.status).toBe('completed');
});

it('[BLB34] metrics: show the memory budget, the free disk and its floor', async () => {
  const text = await metrics();
  expect(text).toMatch(/^rowpress_memory_budget_bytes \d+$/m);
  expect(text).toMatch(/^rowpress_memory_budget_used_bytes 0$/m);
  expect(text).toMatch(/^rowpress_memory_budget_refusals 0$/m);
  expect(text).toMatch(/^rowpress_disk_free_bytes \d+$/m);
  expect(text).toMatch(/^rowpress_disk_floor_bytes 512000000$/m);
});
