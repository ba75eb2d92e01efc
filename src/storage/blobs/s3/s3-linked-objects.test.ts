import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openS3Blobs, startS3Server } from '../../../../test/support/s3-server/open-s3-blobs.ts';
import { wholeNameOf } from '../blob-name.ts';
import type { NewObject } from '../blob-store.ts';

const MIB = 1024 * 1024;
const NAME = wholeNameOf('ab'.repeat(32));
const OUTAGE = { do: 'answer', status: 500, code: 'InternalError' } as const;

function objectOf(bytes: Buffer, beforeVisible: () => Promise<void> = async () => {}): NewObject {
  return {
    name: NAME,
    sizeBytes: bytes.length,
    mediaType: 'application/zip',
    beforeVisible,
    async *read({ start, end }) {
      // In pieces of any size, as an artifact is read.
      for (let at = start; at < end; at += 700_001) yield bytes.subarray(at, Math.min(end, at + 700_001));
    },
  };
}

async function opened(prefix = 'p') {
  const server = await startS3Server();
  const store = await openS3Blobs(server, { prefix });
  const key = `${prefix}/ab/${NAME}`;
  const stored = () => Buffer.concat(server.contents.objects.get(key)?.pieces ?? []);
  const count = (operation: string) =>
    server.requests.filter((request) => request.startsWith(`${operation} `)).length;
  return { server, store, linked: store.linked, stored, count };
}

test('[BF160] an object of any size: stored whole, with the ETag of the store, and not sent again', async () => {
  for (const size of [0, 1_000, 8 * MIB, 20 * MIB + 17]) {
    const { linked, stored, server, count } = await opened();
    const bytes = randomBytes(size);
    const { etag } = await linked.store(objectOf(bytes));
    expect(stored().equals(bytes), String(size)).toBe(true);
    expect(etag).toBe([...server.contents.objects.values()].find((object) => object.size === size)?.tag);
    const sent = count('PutObject') + count('UploadPart');
    expect((await linked.store(objectOf(bytes))).etag).toBe(etag);
    expect(count('PutObject') + count('UploadPart')).toBe(sent);
  }
});

test('[BF163] an upload that failed after its first part: continued with the missing parts', async () => {
  const { server, linked, stored, count } = await opened();
  const bytes = randomBytes(20 * MIB);
  server.faults.plan('UploadPart', OUTAGE, 100, 1);
  await expect(linked.store(objectOf(bytes))).rejects.toThrow('UploadPart');
  const [upload] = server.contents.uploads.values();
  expect([...(upload?.parts.keys() ?? [])]).toHaveLength(1);
  server.faults.clear();
  const before = count('UploadPart');
  await linked.store(objectOf(bytes));
  expect(count('UploadPart') - before).toBe(2);
  expect(count('CreateMultipartUpload')).toBe(1);
  expect(server.contents.uploads.size).toBe(0);
  expect(stored().equals(bytes)).toBe(true);
});

test('[BF163] two attempts at once: one object, and no upload is left open', async () => {
  const { server, linked, stored } = await opened();
  const bytes = randomBytes(20 * MIB);
  const release = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  // The first attempt waits before it completes; the second one continues its upload and completes it.
  const first = linked.store(
    objectOf(bytes, () => {
      reached.resolve();
      return release.promise;
    }),
  );
  await reached.promise;
  const second = await linked.store(objectOf(bytes));
  release.resolve();
  expect(await first).toEqual(second);
  expect(server.contents.uploads.size).toBe(0);
  expect(stored().equals(bytes)).toBe(true);
});

test('[BF163] an upload that no attempt continues: aborted by the sweep', async () => {
  const { server, store, linked } = await opened();
  server.faults.plan('CompleteMultipartUpload', OUTAGE, 100);
  await expect(linked.store(objectOf(randomBytes(9 * MIB)))).rejects.toThrow('CompleteMultipartUpload');
  server.faults.clear();
  expect(await store.sweepTemporary(new Date(Date.now() - 60_000))).toBe(0);
  expect(server.contents.uploads.size).toBe(1);
  expect(await store.sweepTemporary(new Date(Date.now() + 60_000))).toBe(1);
  expect(server.contents.uploads.size).toBe(0);
});

test('[BF160] a completion whose response is lost: the object counts as stored', async () => {
  const { server, linked, stored } = await opened();
  const bytes = randomBytes(9 * MIB);
  server.faults.plan('CompleteMultipartUpload', { do: 'loseAnswer' });
  await linked.store(objectOf(bytes));
  expect(stored().equals(bytes)).toBe(true);
});

test('[BF160] a source with fewer or more bytes than declared: fails and stores nothing', async () => {
  for (const declared of [99, 101]) {
    const { linked, stored } = await opened();
    const object = { ...objectOf(randomBytes(100)), sizeBytes: declared };
    const read = async function* () {
      yield randomBytes(100);
    };
    await expect(linked.store({ ...object, read })).rejects.toThrow('bug: object');
    expect(stored()).toHaveLength(0);
  }
});

test('[BF161] a link: sends the object with its type and name, whole and by range, until it expires', async () => {
  const { server, linked } = await opened();
  const bytes = randomBytes(5_000);
  const { etag } = await linked.store(objectOf(bytes));
  const from = new Date();
  const disposition = `attachment; filename="a.zip"; filename*=UTF-8''%C3%A4.zip`;
  const url = await linked.link(NAME, { from, seconds: 60, mediaType: 'application/zip', disposition });
  const whole = await fetch(url);
  expect(whole.status).toBe(200);
  expect(whole.headers.get('content-type')).toBe('application/zip');
  expect(whole.headers.get('content-disposition')).toBe(disposition);
  expect(whole.headers.get('etag')).toBe(etag);
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
  const part = await fetch(url, { headers: { range: 'bytes=10-19', 'if-range': etag } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true);
  expect((await fetch(url.replace(NAME, wholeNameOf('cd'.repeat(32))))).status).toBe(403);
  server.linkTime = () => new Date(from.getTime() + 61_000);
  expect((await fetch(url)).status).toBe(403);
});
