import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepBytes, readBytes } from '../../../../test/support/blob-bytes.ts';
import {
  openS3Blobs,
  stagingDirectory,
  startS3Server,
} from '../../../../test/support/s3-server/open-s3-blobs.ts';
import { describeBlobStore } from '../conformance.ts';
import { DiskBlobs } from '../disk.ts';
import { partSize } from './upload.ts';

const MIB = 1024 * 1024;

describeBlobStore('S3', async () => openS3Blobs(await startS3Server()));

test('[BLB1] a large blob: sent in parts, read whole and by range across part boundaries', async () => {
  const server = await startS3Server();
  const store = await openS3Blobs(server);
  const bytes = randomBytes(20 * MIB + 17);
  const digest = await keepBytes(store, bytes);
  const sent = server.requests.map((request) => request.split(' ')[0]);
  expect(sent.filter((operation) => operation === 'UploadPart')).toHaveLength(3);
  expect(server.contents.uploads.size).toBe(0);
  expect((await readBytes(store, digest)).equals(bytes)).toBe(true);
  const [start, end] = [8 * MIB - 5, 16 * MIB + 5];
  expect((await readBytes(store, digest, { start, end })).equals(bytes.subarray(start, end))).toBe(true);
});

test('[BLB3] a large blob that is already stored: not sent again', async () => {
  const server = await startS3Server();
  const store = await openS3Blobs(server);
  const bytes = randomBytes(9 * MIB);
  await keepBytes(store, bytes);
  const before = server.requests.length;
  await keepBytes(store, bytes);
  expect(server.requests.slice(before).map((request) => request.split(' ')[0])).toEqual(['HeadObject']);
});

test('[BLB4] an empty range: no request; a range past the end: empty; a longer range: ends with the blob', async () => {
  const server = await startS3Server();
  const store = await openS3Blobs(server);
  const digest = await keepBytes(store, Buffer.from('0123456789'));
  const before = server.requests.length;
  expect(await readBytes(store, digest, { start: 3, end: 3 })).toHaveLength(0);
  expect(server.requests).toHaveLength(before);
  expect(await readBytes(store, digest, { start: 10, end: 20 })).toHaveLength(0);
  expect((await readBytes(store, digest, { start: 8, end: 100 })).toString()).toBe('89');
});

test('[BLB7] uploads that a crash left: aborted by age; active uploads and those of others stay', async () => {
  const server = await startS3Server({ pageSize: 2 });
  const staging = stagingDirectory();
  const store = await openS3Blobs(server, { prefix: 'ours', staging });
  const old = new Date(Date.now() - 7_200_000);
  const begin = (key: string, startedAt: Date) => {
    const upload = server.contents.begin(key);
    upload.startedAt = startedAt;
    return upload;
  };
  const keyOf = (n: number) => `ours/0${n}/0${n}${'0'.repeat(62)}`;
  const left = [1, 2, 3].map((n) => begin(keyOf(n), old));
  const young = begin(keyOf(4), new Date());
  const active = begin(keyOf(5), old);
  server.contents.putPart(active.key, active.id, 1, Buffer.alloc(10));
  const others = [begin(`theirs/00/${'0'.repeat(64)}`, old), begin('ours/report.pdf', old)];
  expect(await store.sweepTemporary(new Date(Date.now() - 3_600_000))).toBe(left.length);
  expect([...server.contents.uploads.values()]).toEqual([young, active, ...others]);
  expect(readdirSync(staging)).toEqual([]);
});

test('[BLB11] a list of many blobs: read page by page, with the time of each, without other objects', async () => {
  const server = await startS3Server({ pageSize: 3 });
  const store = await openS3Blobs(server, { prefix: 'many/of/them' });
  const since = Date.now() - 1;
  const digests = await Promise.all(
    Array.from({ length: 10 }, (_, n) => keepBytes(store, Buffer.from(`blob ${n}`))),
  );
  server.contents.put('many/of/them/notes.txt', Buffer.from('x'));
  server.contents.put(`many/${'0'.repeat(64)}`, Buffer.from('x'));
  const before = server.requests.length;
  const listed: string[] = [];
  for await (const { digest, storedAt } of store.list()) {
    expect(storedAt.getTime()).toBeGreaterThanOrEqual(since);
    listed.push(digest);
  }
  expect(listed).toEqual(digests.sort());
  // Ten blobs, the note, the name and two votes: three per page.
  expect(server.requests.length - before).toBe(5);
  for await (const { digest } of store.list()) {
    expect(digest).toBe(digests[0]);
    break;
  }
  expect(server.requests.length - before).toBe(6);
});

test('[BLB8] a name that is not a digest: never used as a key', async () => {
  const server = await startS3Server();
  const store = await openS3Blobs(server);
  const before = server.requests.length;
  for (const name of ['../../x', '', 'A'.repeat(64), `${'a'.repeat(63)}/`])
    await expect(store.delete(name)).rejects.toThrow('bug: ');
  expect(server.requests).toHaveLength(before);
});

test('[BLB9] many stores opened at once on one prefix: agree on its name', async () => {
  for (let round = 0; round < 3; round += 1) {
    const server = await startS3Server();
    const stores = await Promise.all(Array.from({ length: 6 }, () => openS3Blobs(server, { prefix: 'one' })));
    const names = await Promise.all(stores.map((store) => store.identity()));
    expect(new Set(names).size).toBe(1);
    // The name is lost, but the votes remain.
    server.contents.objects.delete('one/store-id');
    expect(await stores[0]?.identity()).toBe(names[0]);
  }
});

test('[BLB9] a process that was suspended during the vote: adopts the result', async () => {
  const server = await startS3Server();
  let wake = () => {};
  const until = new Promise<void>((resolve) => {
    wake = resolve;
  });
  // This process has read that there is no name and is about to vote.
  server.faults.plan('PutObject', { do: 'wait', until });
  const sleeper = openS3Blobs(server, { prefix: 'one' });
  await expect
    .poll(() => server.requests.some((request) => request.startsWith('PutObject')), { timeout: 20_000 })
    .toBe(true);
  const name = await (await openS3Blobs(server, { prefix: 'one' })).identity();
  wake();
  expect(await (await sleeper).identity()).toBe(name);
});

test('[BLB9] the copied files of a disk store: the same blobs under the same name', async () => {
  const root = stagingDirectory();
  const disk = await DiskBlobs.open(root);
  const name = await disk.identity();
  const digest = await keepBytes(disk, Buffer.from('hello'));
  const server = await startS3Server();
  for (const path of ['store-id', `${digest.slice(0, 2)}/${digest}`])
    server.contents.put(`copied/${path}`, readFileSync(join(root, path)));
  const store = await openS3Blobs(server, { prefix: 'copied' });
  expect(await store.identity()).toBe(name);
  expect((await readBytes(store, digest)).toString()).toBe('hello');
  expect(server.requests.some((request) => request.startsWith('PutObject'))).toBe(false);
});

test('[BLB1] part size: ten thousand parts can hold any blob', () => {
  for (const size of [1, 9 * MIB, 4096 * MIB, 80_000 * MIB, 5 * 1024 * 1024 * MIB]) {
    expect(Math.ceil(size / partSize(size))).toBeLessThanOrEqual(10_000);
    expect(partSize(size)).toBeGreaterThanOrEqual(5 * MIB);
  }
  expect(partSize(4096 * MIB)).toBe(8 * MIB);
});
