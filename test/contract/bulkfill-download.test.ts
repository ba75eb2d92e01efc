import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bulkfillSurface } from '#bulkfill/surface.ts';
import {
  type BulkfillClient,
  goodRows,
  openScene,
  rowsJson,
  type Scene,
} from '../support/bulkfill-client.ts';
import { letterPdf, nameLayout, seal } from '../support/bulkfill-server.ts';
import { type ConsoleClient, signedIn } from '../support/console-client.ts';
import { jobDetails, totalsOf } from '../support/operator-views.ts';

const HOUR_MS = 3_600_000;

let scene: Scene;
let client: BulkfillClient;
let operator: ConsoleClient;
let jobId: string;
let path: string;
let whole: Buffer;
/** The next behaviour of the hand-off. */
let redirect: (() => Promise<string>) | undefined;
beforeAll(async () => {
  scene = await openScene({
    surroundings: {
      surfaces: [
        bulkfillSurface({
          handOff: {
            modeOf: () => (redirect === undefined ? 'direct' : 'cloud'),
            redirect: async () => (await redirect?.()) ?? 'expired',
          },
        }),
      ],
    },
  });
  client = scene.client;
  operator = await signedIn(scene.server);
  jobId = (await client.create({ rows_json: rowsJson(goodRows(40)) })).body.job_id;
  path = `/v1/bulkfill/export-jobs/${jobId}/download`;
  whole = await bytes();
});
afterAll(() => scene.server.stop());

async function bytes(headers: Record<string, string> = {}): Promise<Buffer> {
  return Buffer.from(await (await client.fetch(path, { headers })).arrayBuffer());
}

describe('a download', () => {
  it('[BF62] a download: a ZIP with a safe name, a length and a tag; HEAD returns the same headers', async () => {
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

  it('[BF63] a range: the same bytes as that part of the whole file', async () => {
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

  it('[BF63] a range beyond the end: 416; an unsupported range or another tag: the whole file', async () => {
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

  it('[BF63] If-None-Match with the tag: 304; If-Match with another tag: 412; both before a range', async () => {
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

  it('[BF60] a repeated download: the same bytes, no bill and no event', async () => {
    const totals = () => totalsOf(operator, client.account.name);
    const before = await totals();
    for (let i = 0; i < 3; i += 1) {
      expect((await bytes()).equals(whole)).toBe(true);
      expect((await client.get(jobId)).status).toBe(200);
    }
    expect(await totals()).toEqual(before);
  });

  it('[BF65] a hand-over to the store: 302; a failed hand-over: 500', async () => {
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
    redirect = undefined;
    expect((await bytes()).equals(whole)).toBe(true);
  });

  it('[BF64] a job without an active delivery: 404', async () => {
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
  it('[BF59][BF61] as time passes: the delivery ends after 6 hours, the files after 24, the record after 30 days', async () => {
    const { clock, sweep } = scene.server;
    const { body } = await client.create({ rows_json: rowsJson(goodRows(2)) });
    const download = `/v1/bulkfill/export-jobs/${body.job_id}/download`;
    clock.advance(6 * HOUR_MS - 120_000);
    expect((await client.fetch(download, { method: 'HEAD' })).status).toBe(200);
    clock.advance(180_000);
    const expired = await client.get(body.job_id);
    expect([expired.status, expired.body]).toEqual([
      200,
      { ...body, result: { ...body.result, download_url: null } },
    ]);
    expect((await client.request(download)).body.code).toBe('EXPORT_DELIVERY_NOT_FOUND');

    const held = async () => (await jobDetails(operator, body.job_id)).inputs.length;
    expect(await held()).toBeGreaterThan(0);
    clock.advance(19 * HOUR_MS);
    await sweep();
    expect(await held()).toBe(0);
    expect((await client.get(body.job_id)).body.result).toEqual(expired.body.result);
    clock.advance(30 * 24 * HOUR_MS);
    await sweep();
    expect((await client.get(body.job_id)).status).toBe(404);
  });

  it('[BF62] the name of the ZIP: the name in the package and the UTC date of completion; other letters in filename*', async () => {
    const { clock } = scene.server;
    const nameOf = async (packageName: string | undefined) => {
      const { name: _, ...unnamed } = nameLayout;
      const layout = packageName === undefined ? unnamed : { ...unnamed, name: packageName };
      const doqlo_file = await seal(layout, letterPdf);
      const { body } = await client.create({ doqlo_file, rows_json: rowsJson(goodRows(1)) });
      const date = body.completed_at?.slice(0, 10) ?? '';
      // The date is that of the job, not of the download.
      clock.advance(5 * HOUR_MS);
      const { headers } = await client.fetch(`/v1/bulkfill/export-jobs/${body.job_id}/download`);
      return (headers.get('content-disposition') ?? '').replaceAll(date, 'DATE');
    };
    expect(await nameOf('Payroll 2026')).toBe(
      'attachment; filename="Payroll-2026-DATE.zip"; filename*=UTF-8\'\'Payroll%202026-DATE.zip',
    );
    expect(await nameOf('Gehälter/März')).toBe(
      'attachment; filename="Gehalter-Marz-DATE.zip"; filename*=UTF-8\'\'Geh%C3%A4lter-M%C3%A4rz-DATE.zip',
    );
    expect(await nameOf('..')).toBe('attachment; filename="export-DATE.zip"');
    expect(await nameOf(undefined)).toBe('attachment; filename="export-DATE.zip"');
  });
});
