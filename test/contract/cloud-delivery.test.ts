import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Rowpress } from '../../clients/typescript/src/rowpress.ts';
import {
  type BulkfillClient,
  goodRows,
  openScene,
  rowsJson,
  type Scene,
} from '../support/bulkfill-client.ts';
import { signedIn } from '../support/console-client.ts';
import { exportedTables } from '../support/exported-tables.ts';
import { openArchive } from '../support/fill-cli.ts';
import { S3Server } from '../support/s3-server/s3-server.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let store: S3Server;
let scene: Scene;
let client: BulkfillClient;
beforeAll(async () => {
  store = await S3Server.start();
  scene = await openScene({
    env: {
      ...store.env('installation'),
      ROWPRESS_DELIVERY: 'cloud',
      ROWPRESS_MAX_STORED_BYTES: '1500000',
    },
  });
  client = scene.client;
  store.linkTime = () => scene.server.clock.now();
});
afterAll(async () => {
  await scene?.server.stop();
  await store?.stop();
});

const pathOf = (jobId: string) => `/v1/bulkfill/export-jobs/${jobId}/download`;
const objects = () => [...store.contents.objects.keys()].filter((key) => key.endsWith('.whole'));
async function created(rows: number, by = client) {
  const { status, body } = await by.create({ rows_json: rowsJson(goodRows(rows)) });
  expect([status, body.status]).toEqual([200, 'completed']);
  return body;
}
async function linkOf(jobId: string): Promise<URL> {
  const response = await client.fetch(pathOf(jobId));
  expect(response.status).toBe(302);
  return new URL(response.headers.get('location') ?? '');
}

describe('cloud delivery', () => {
  it('[BF160] [BF161] a finished job: one object, and a redirect to it that needs no key', async () => {
    const job = await created(40);
    expect(job.result?.delivery_mode).toBe('cloud');
    expect((await client.get(job.job_id)).body.result).toEqual(job.result);
    expect(objects()).toHaveLength(1);
    const response = await client.fetch(pathOf(job.job_id), { headers: { range: 'bytes=0-9' } });
    expect([response.status, response.headers.get('cache-control')]).toEqual([302, 'private, no-store']);
    expect(await response.text()).toBe('');
    const link = await linkOf(job.job_id);
    expect(link.origin).toBe(store.endpoint);
    const whole = await fetch(link);
    expect(whole.status).toBe(200);
    expect(whole.headers.get('content-type')).toBe('application/zip');
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename="[A-Za-z0-9._-]+\.zip"/);
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(bytes).toHaveLength(job.result?.file_size_bytes ?? 0);
    const { files, manifest } = openArchive(bytes);
    expect(Object.keys(files).filter((name) => name.endsWith('.pdf'))).toHaveLength(40);
    const part = await fetch(link, { headers: { range: 'bytes=1000-1999' } });
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true);
    // The server itself still sends single rows and the manifest.
    const row = await client.fetch(pathOf(job.job_id).replace('download', 'rows/1.pdf'));
    const [first] = manifest.row_results;
    const sha256 = createHash('sha256')
      .update(Buffer.from(await row.arrayBuffer()))
      .digest('hex');
    expect([row.status, sha256]).toEqual([200, first?.sha256]);
  });

  it('[BF162] HEAD: 200 with the size and the ETag of the object', async () => {
    const job = await created(41);
    const head = await client.fetch(pathOf(job.job_id), { method: 'HEAD' });
    const whole = await fetch(await linkOf(job.job_id));
    await whole.arrayBuffer();
    expect(head.status).toBe(200);
    for (const name of ['content-length', 'etag', 'content-type', 'content-disposition', 'accept-ranges'])
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
  });

  it('[BF161] the time of a link: at most 15 minutes, and never longer than the delivery', async () => {
    const job = await created(42);
    const ends = new Date(job.result?.expires_at ?? '').getTime();
    const secondsOf = (link: URL) => Number(link.searchParams.get('X-Amz-Expires'));
    const early = await linkOf(job.job_id);
    expect(secondsOf(early)).toBe(900);
    scene.server.clock.advance(15 * MINUTE_MS);
    expect((await fetch(early)).status).toBe(403);
    expect((await fetch(await linkOf(job.job_id))).status).toBe(200);
    scene.server.clock.advance(ends - scene.server.clock.now().getTime() - 30_500);
    const late = await linkOf(job.job_id);
    expect(secondsOf(late)).toBeGreaterThan(0);
    expect(secondsOf(late)).toBeLessThanOrEqual(30);
    expect((await fetch(late)).status).toBe(200);
    // Less than a second is left, too short for a link.
    scene.server.clock.advance(ends - scene.server.clock.now().getTime() - 400);
    expect((await client.request(pathOf(job.job_id))).body.code).toBe('EXPORT_DELIVERY_NOT_FOUND');
    scene.server.clock.advance(1_000);
    expect((await fetch(late)).status).toBe(403);
    expect((await client.request(pathOf(job.job_id))).status).toBe(404);
  });

  it('[BF160] [BF49] a reused result: shares the object; a ZIP above the limit of a job: sent by the server', async () => {
    const first = await created(43);
    const before = objects().length;
    const second = await created(43);
    expect(second.job_id).not.toBe(first.job_id);
    expect([second.result?.delivery_mode, objects().length]).toEqual(['cloud', before]);
    expect((await linkOf(second.job_id)).pathname).toBe((await linkOf(first.job_id)).pathname);

    const large = await created(100);
    expect(large.result?.file_size_bytes).toBeGreaterThan(1_500_000);
    expect([large.result?.delivery_mode, objects().length]).toEqual(['direct', before]);
    const { files } = await client.archive(large.job_id);
    expect(Object.keys(files)).toHaveLength(101);
  });

  it('[BF164] the object: counts as stored by the account, and is deleted with its delivery', async () => {
    const other = await scene.another();
    const operator = await signedIn(scene.server);
    const stored = async () => {
      const path = `/usage?account=${other.account.name}`;
      return (await operator.get<{ quota: { stored_bytes: number } }>(path)).body.quota.stored_bytes;
    };
    const known = new Set(objects());
    const job = await created(44, other);
    const [key = ''] = objects().filter((name) => !known.has(name));
    expect(store.contents.objects.get(key)?.size).toBe(job.result?.file_size_bytes);
    const tables = await exportedTables(scene.server.env);
    expect(tables.get('blob_refs')).toContain(key.split('/').at(-1));
    expect(await stored()).toBeGreaterThan(job.result?.file_size_bytes ?? 0);
    scene.server.clock.advance(6 * HOUR_MS + 30 * MINUTE_MS);
    await scene.server.sweep();
    expect(store.contents.objects.has(key)).toBe(true);
    scene.server.clock.advance(HOUR_MS);
    await scene.server.sweep();
    expect(store.contents.objects.has(key)).toBe(false);
    expect((await other.get(job.job_id)).body.result).toMatchObject({ download_url: null });
  });
});

describe('the TypeScript client with cloud delivery', () => {
  it('[SDK8] [BF161] a cut connection and a rejected link: the download continues, and the store never sees the key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rp-cloud-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const job = await created(45);
    const { bulkfill } = new Rowpress({ baseUrl: client.server.url, apiKey: client.account.key, retries: 4 });
    const path = join(folder, 'out.zip');
    const seen = store.headers.length;
    store.faults.plan('GetObject', { do: 'cutBody', after: 9_000 });
    store.faults.plan('GetObject', { do: 'answer', status: 403, code: 'AccessDenied' });
    const { bytes, verifiedRows } = await bulkfill.download(job.job_id, path);
    expect([bytes, verifiedRows]).toEqual([job.result?.file_size_bytes, 45]);
    const whole = Buffer.from(await (await fetch(await linkOf(job.job_id))).arrayBuffer());
    expect((await readFile(path)).equals(whole)).toBe(true);
    const sent = store.headers.slice(seen, -1);
    expect(sent.map(({ range }) => range)).toEqual([undefined, 'bytes=9000-', 'bytes=9000-']);
    for (const headers of sent) {
      expect(headers.authorization).toBeUndefined();
      expect(headers['x-request-id']).toBeUndefined();
    }
    const streamed = await new Response(await bulkfill.stream(job.job_id)).arrayBuffer();
    expect(Buffer.from(streamed).equals(whole)).toBe(true);
  });
});
