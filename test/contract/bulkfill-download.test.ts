import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bulkfillSurface } from '#bulkfill/surface.ts';
import { sweep } from '#engine/retention/sweep.ts';
import { DiskBlobs } from '#storage/blobs/disk.ts';
import { openDatabase } from '#storage/database.ts';
import {
  type BulkfillClient,
  goodRows,
  openScene,
  rowsJson,
  type Scene,
} from '../support/bulkfill-client.ts';

let scene: Scene;
let client: BulkfillClient;
let jobId: string;
let path: string;
let whole: Buffer;
/** What the hand-off does next. */
let redirect: () => Promise<string | undefined> = async () => undefined;
beforeAll(async () => {
  scene = await openScene({
    surroundings: { surfaces: [bulkfillSurface({ handOff: { redirect: () => redirect() } })] },
  });
  client = scene.client;
  jobId = (await client.create({ rows_json: rowsJson(goodRows(40)) })).body.job_id;
  path = `/v1/bulkfill/export-jobs/${jobId}/download`;
  whole = await bytes();
});
afterAll(() => scene.server.stop());

async function bytes(headers: Record<string, string> = {}): Promise<Buffer> {
  return Buffer.from(await (await client.fetch(path, { headers })).arrayBuffer());
}

describe('a download', () => {
  it('[BF62] is a ZIP with a safe name, a length and a tag; HEAD tells the same', async () => {
    const get = await client.fetch(path);
    await get.arrayBuffer();
    const head = await client.fetch(path, { method: 'HEAD' });
    expect((await head.arrayBuffer()).byteLength).toBe(0);
    for (const { status, headers } of [get, head]) {
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/zip');
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[A-Za-z0-9._-]+\.zip"$/);
      expect(headers.get('content-length')).toBe(String(whole.length));
      expect(headers.get('accept-ranges')).toBe('bytes');
      expect(headers.get('etag')).toMatch(/^"[0-9a-f]+"$/);
    }
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
  });

  it('[BF63] by range is the same bytes, wherever it is cut', async () => {
    const size = whole.length;
    const ranges: [string, number, number][] = [
      ['bytes=0-0', 0, 1],
      ['Bytes=0-0', 0, 1],
      ['bytes=0-99', 0, 100],
      [`bytes=${size - 1}-`, size - 1, size],
      ['bytes=-500', size - 500, size],
      [`bytes=100-${size + 1000}`, 100, size],
      [`bytes=-${size * 2}`, 0, size],
    ];
    for (let i = 0; i < 40; i += 1) {
      const start = Math.floor(((i * 7919) % 997) * (size / 997));
      const end = Math.min(size, start + 1 + ((i * 104_729) % 9_000));
      ranges.push([`bytes=${start}-${end - 1}`, start, end]);
    }
    for (const [range, start, end] of ranges) {
      const response = await client.fetch(path, { headers: { range } });
      const body = Buffer.from(await response.arrayBuffer());
      expect([range, response.status]).toEqual([range, 206]);
      expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${size}`);
      expect(response.headers.get('content-length')).toBe(String(end - start));
      expect(body.equals(whole.subarray(start, end)), range).toBe(true);
    }
  });

  it('[BF63] beyond the end is 416; odd ranges and other tags give the whole', async () => {
    for (const range of [`bytes=${whole.length}-`, 'bytes=99999999999-', 'bytes=-0']) {
      const response = await client.fetch(path, { headers: { range } });
      const { status, headers } = response;
      expect([range, status, headers.get('content-range')]).toEqual([range, 416, `bytes */${whole.length}`]);
      expect(await response.json()).toMatchObject({ code: 'RANGE_NOT_SATISFIABLE' });
    }
    for (const range of ['bytes=0-1,5-6', 'lines=1-2', 'bytes=5-1', 'bytes=a-b', 'bytes=-'])
      expect((await client.fetch(path, { headers: { range } })).status, range).toBe(200);
    const { headers } = await client.fetch(path, { method: 'HEAD' });
    const tag = headers.get('etag') ?? '';
    const status = async (ifRange: string) =>
      (await client.fetch(path, { headers: { range: 'bytes=0-9', 'if-range': ifRange } })).status;
    expect(await status(tag)).toBe(206);
    expect(await status('"other"')).toBe(200);
    expect(await status(`W/${tag}`)).toBe(200);
    expect(await status('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(200);
    const head = await client.fetch(path, { method: 'HEAD', headers: { range: 'bytes=0-9' } });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.length)]);
  });

  it('[BF63] a tag already held is 304, another file than the one meant is 412, both before a range', async () => {
    const tag = (await client.fetch(path, { method: 'HEAD' })).headers.get('etag') ?? '';
    const cases: [Record<string, string>, number][] = [
      [{ 'if-none-match': tag }, 304],
      [{ 'if-none-match': `"a,b", W/${tag}` }, 304],
      [{ 'if-none-match': '*' }, 304],
      [{ 'if-none-match': tag, range: 'bytes=0-1' }, 304],
      [{ 'if-none-match': '"other"' }, 200],
      [{ 'if-match': '"other"' }, 412],
      [{ 'if-match': `W/${tag}`, range: 'bytes=0-1' }, 412],
      [{ 'if-match': tag, range: 'bytes=0-1' }, 206],
      [{ 'if-match': '*' }, 200],
    ];
    for (const [headers, status] of cases) {
      const response = await client.fetch(path, { headers });
      const body = Buffer.from(await response.arrayBuffer());
      expect([headers, response.status, response.headers.get('etag')]).toEqual([headers, status, tag]);
      if (status === 304) expect(body).toHaveLength(0);
      if (status === 412) expect(JSON.parse(body.toString())).toMatchObject({ code: 'PRECONDITION_FAILED' });
    }
  });

  it('[BF60] costs nothing and tells nobody, and is the same every time', async () => {
    const counts = async () =>
      (
        await scene.server.pool.query(
          'select (select count(*) from events) as events, (select sum(billed_rows) from quota_ledger) as billed, (select count(*) from jobs) as jobs',
        )
      ).rows;
    const before = await counts();
    for (let i = 0; i < 3; i += 1) {
      expect((await bytes()).equals(whole)).toBe(true);
      expect((await client.get(jobId)).status).toBe(200);
    }
    expect(await counts()).toEqual(before);
  });

  it('[BF65] may be handed over with 302, and a failed hand-over is 500', async () => {
    redirect = async () => 'https://store.example/export.zip?presigned';
    const moved = await client.fetch(path);
    expect([moved.status, moved.headers.get('location')]).toEqual([
      302,
      'https://store.example/export.zip?presigned',
    ]);
    redirect = () => Promise.reject(new Error('the store is unavailable'));
    const { status, body, text } = await client.request(path);
    expect([status, body.code]).toEqual([500, 'EXPORT_DELIVERY_FAILED']);
    expect(text).not.toContain('away');
    redirect = async () => undefined;
    expect((await bytes()).equals(whole)).toBe(true);
  });

  it('[BF64] without an active delivery is 404', async () => {
    const open = await client.create(
      { rows_json: rowsJson(Array(20_000).fill({ column_0: 'open' })) },
      { headers: { prefer: 'wait=0' } },
    );
    for (const id of [open.body.job_id, randomUUID()])
      for (const what of ['download', 'manifest', 'rows/1.pdf', 'rows/1.png']) {
        const { status, body } = await client.request(`/v1/bulkfill/export-jobs/${id}/${what}`);
        expect([what, status, body.code]).toEqual([what, 404, 'EXPORT_DELIVERY_NOT_FOUND']);
      }
    await client.request(`/v1/bulkfill/export-jobs/${open.body.job_id}`, { method: 'DELETE' });
  });
});

describe('time', () => {
  it('[BF59][BF61] ends the delivery after 6 hours, the files after 24, the record after 30 days', async () => {
    const { clock, env } = scene.server;
    const { body } = await client.create({ rows_json: rowsJson(goodRows(2)) });
    const download = `/v1/bulkfill/export-jobs/${body.job_id}/download`;
    clock.advance(6 * 3600 - 120);
    expect((await client.fetch(download, { method: 'HEAD' })).status).toBe(200);
    clock.advance(180);
    const expired = await client.get(body.job_id);
    expect([expired.status, expired.body]).toEqual([
      200,
      { ...body, result: { ...body.result, download_url: null } },
    ]);
    expect((await client.request(download)).body.code).toBe('EXPORT_DELIVERY_NOT_FOUND');

    const database = openDatabase({ url: env.DATABASE_URL ?? '' }, 2, () => {});
    const blobs = await DiskBlobs.open(`${env.ROWPRESS_DATA_DIR}/blobs`);
    const forget = () =>
      sweep({
        db: database.db,
        clock,
        blobs,
        settings: { artifactSeconds: 86_400, jobRetentionSeconds: 2_592_000 },
      });
    const held = async () =>
      (await scene.server.pool.query('select digest from blob_refs where job_id = $1', [body.job_id])).rows
        .length;
    expect(await held()).toBeGreaterThan(0);
    clock.advance(19 * 3600);
    await forget();
    expect(await held()).toBe(0);
    expect((await client.get(body.job_id)).body.result).toEqual(expired.body.result);
    clock.advance(30 * 86_400);
    await forget();
    expect((await client.get(body.job_id)).status).toBe(404);
    await database.close();
  });
});
