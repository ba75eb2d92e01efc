import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholeNameOf } from '#storage/blobs/blob-name.ts';
import { describeBlobStore } from '#storage/blobs/conformance.ts';
import { S3Blobs } from '#storage/blobs/s3/s3-blobs.ts';
import { usualTiming } from '#storage/blobs/s3/s3-client.ts';
import { S3Connection } from '#storage/blobs/s3/s3-connection.ts';
import { S3Multipart } from '#storage/blobs/s3/s3-multipart.ts';
import { S3Objects } from '#storage/blobs/s3/s3-objects.ts';
import { goodRows, openScene, rowsJson } from '../support/bulkfill-client.ts';
import { openS3Blobs, settingsOf, stagingDirectory } from '../support/s3-server/open-s3-blobs.ts';
import { Swift } from './swift.ts';

const MIB = 1024 * 1024;
let swift: Swift;
beforeAll(async () => {
  swift = await Swift.start();
});
afterAll(() => swift?.stop());

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describeBlobStore('OpenStack Swift', () => openS3Blobs(swift));

test('[BLB1] [BLB4] a blob of several parts: one object, read whole and by range', async () => {
  const store = await openS3Blobs(swift);
  const bytes = randomBytes(20 * MIB + 17);
  const staged = await store.receive(once(bytes));
  await staged.keep();
  const read = async (range?: { start: number; end: number }) => {
    const parts: Uint8Array[] = [];
    for await (const part of store.read(staged.digest, range)) parts.push(part);
    return Buffer.concat(parts);
  };
  expect((await read()).equals(bytes)).toBe(true);
  const [start, end] = [8 * MIB - 5, 16 * MIB + 5];
  expect((await read({ start, end })).equals(bytes.subarray(start, end))).toBe(true);
  expect((await read({ start: bytes.length - 3, end: bytes.length + 3 })).length).toBe(3);
  expect(await read({ start: bytes.length, end: bytes.length + 3 })).toHaveLength(0);
});

test('[BLB7] an upload that a crash left: found and aborted', async () => {
  const settings = settingsOf(swift.env('crashed'));
  const store = await S3Blobs.open(settings, stagingDirectory());
  const multipart = new S3Multipart(new S3Connection(settings, usualTiming));
  const key = `00/${'0'.repeat(64)}`;
  const id = await multipart.begin(key);
  await multipart.put(key, id, 1, Buffer.alloc(5 * MIB));
  expect(await store.sweepTemporary(new Date(Date.now() - 60_000))).toBe(0);
  expect(await store.sweepTemporary(new Date(Date.now() + 60_000))).toBe(1);
  expect(await store.sweepTemporary(new Date(Date.now() + 60_000))).toBe(0);
});

test('[BLB14] a wrong secret, key or region, and a missing bucket: refused', async () => {
  const opening = (env: Record<string, string>) =>
    S3Blobs.open(settingsOf({ ...swift.env('p'), ...env }), stagingDirectory());
  await expect(opening({ AWS_SECRET_ACCESS_KEY: 'wrong' })).rejects.toThrow('SignatureDoesNotMatch (403)');
  await expect(opening({ AWS_ACCESS_KEY_ID: 'test:nobody' })).rejects.toThrow('(403)');
  const { endpoint } = swift;
  const elsewhere = { ROWPRESS_BLOBS: `s3://rowpress/p?endpoint=${endpoint}&region=eu-west-1` };
  await expect(opening(elsewhere)).rejects.toThrow('Set the region');
  const nowhere = { ROWPRESS_BLOBS: `s3://no-bucket/p?endpoint=${endpoint}` };
  await expect(opening(nowhere)).rejects.toThrow('NoSuchBucket (404)');
});

test('[BLB1] a body that differs from the signed one: the store rejects it', async () => {
  const objects = new S3Objects(new S3Connection(settingsOf(swift.env('p')), usualTiming));
  const other = createHash('sha256').update('other').digest('hex');
  await expect(objects.put('x', Buffer.from('body'), other)).rejects.toThrow('PutObject');
  expect(await objects.size('x')).toBeUndefined();
});

test('[BF160] [BF161] [BF162] [BF163] a ZIP of several parts: continued after a failure, and read through a link', async () => {
  const settings = settingsOf(swift.env('linked'));
  const { linked } = await S3Blobs.open(settings, stagingDirectory());
  const name = wholeNameOf('ab'.repeat(32));
  const bytes = randomBytes(20 * MIB + 5);
  const object = (failFrom: number) => ({
    name,
    sizeBytes: bytes.length,
    mediaType: 'application/zip',
    beforeVisible: async () => {},
    async *read({ start, end }: { start: number; end: number }) {
      if (start >= failFrom) throw new Error('the process ends here');
      yield bytes.subarray(start, end);
    },
  });
  await expect(linked.store(object(8 * MIB))).rejects.toThrow('the process ends here');
  const multipart = new S3Multipart(new S3Connection(settings, usualTiming));
  const key = `ab/${name}`;
  const open = await all(multipart.list(key));
  expect(open.map((upload) => upload.key)).toEqual([key]);
  const [upload] = open;
  expect(await all(multipart.parts(upload ?? { key, id: '' }))).toHaveLength(1);
  const { etag } = await linked.store(object(Number.POSITIVE_INFINITY));
  expect(await all(multipart.list(key))).toEqual([]);
  const disposition = 'attachment; filename="a.zip"';
  const terms = { from: new Date(), seconds: 60, mediaType: 'application/zip', disposition };
  const link = await linked.link(name, terms);
  const whole = await fetch(link);
  expect([whole.status, whole.headers.get('etag')]).toEqual([200, etag]);
  expect(whole.headers.get('content-disposition')).toBe(disposition);
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
  const part = await fetch(link, { headers: { range: 'bytes=100-199', 'if-range': etag } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200))).toBe(true);
  const old = await linked.link(name, { ...terms, from: new Date(Date.now() - 120_000) });
  expect((await fetch(old)).status).toBe(403);
});

test('[BLB15] a job from its upload to its ZIP: downloaded whole and by range', async () => {
  const { server, client } = await openScene({ env: swift.env('installation') });
  try {
    const { status, body } = await client.create({ rows_json: rowsJson(goodRows(40)) });
    expect([status, body.status]).toEqual([200, 'completed']);
    const { files, bytes } = await client.archive(body.job_id);
    expect(Object.keys(files).filter((name) => name.endsWith('.pdf'))).toHaveLength(40);
    const part = await client.fetch(`/v1/bulkfill/export-jobs/${body.job_id}/download`, {
      headers: { range: 'bytes=1000-8999' },
    });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1_000, 9_000))).toBe(true);
  } finally {
    await server.stop();
  }
});
