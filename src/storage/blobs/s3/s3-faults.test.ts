import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultOf } from '#lib/errors/fault-of.ts';
import { chunks, keepBytes, readBytes } from '../../../../test/support/blob-bytes.ts';
import {
  openS3Blobs,
  stagingDirectory,
  startS3Server,
} from '../../../../test/support/s3-server/open-s3-blobs.ts';
import { BlobMissing } from '../blob-store.ts';

const MIB = 1024 * 1024;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

async function scene(timing = {}) {
  const server = await startS3Server();
  const staging = stagingDirectory();
  const store = await openS3Blobs(server, { prefix: 'p', staging, timing });
  const asked = (operation: string) =>
    server.requests.filter((request) => request.startsWith(`${operation} `)).length;
  return { server, staging, store, asked };
}

test('[BLB12] a read that is cut off: resumed where it was cut, whole or by range', async () => {
  const { server, store } = await scene();
  const bytes = randomBytes(300_000);
  const digest = await keepBytes(store, bytes);
  for (const after of [0, 100_000, 50_000]) server.faults.plan('GetObject', { do: 'cutBody', after });
  expect((await readBytes(store, digest)).equals(bytes)).toBe(true);
  server.faults.plan('GetObject', { do: 'cutBody', after: 7 }, 3);
  const range = { start: 1_000, end: 2_000 };
  expect((await readBytes(store, digest, range)).equals(bytes.subarray(range.start, range.end))).toBe(true);
});

test('[BLB12] a read without traffic: closed and resumed', async () => {
  const { server, store, asked } = await scene({ stallMs: 500 });
  const bytes = randomBytes(300_000);
  const digest = await keepBytes(store, bytes);
  server.faults.plan('GetObject', { do: 'hangBody', after: 100_000 });
  server.faults.plan('GetObject', { do: 'hang' });
  const before = asked('GetObject');
  expect((await readBytes(store, digest)).equals(bytes)).toBe(true);
  expect(asked('GetObject') - before).toBeGreaterThanOrEqual(3);
});

test('[BLB12] a reader that pauses for long: loses its connection and no bytes', async () => {
  const { server, store, asked } = await scene({ stallMs: 500 });
  // More than the buffers of two sockets hold.
  const bytes = Buffer.alloc(64 * MIB, 'pause');
  const digest = sha256(bytes);
  server.contents.put(`p/${digest.slice(0, 2)}/${digest}`, bytes);
  const before = asked('GetObject');
  const parts: Uint8Array[] = [];
  for await (const part of store.read(digest)) {
    if (parts.length === 3) await expect.poll(() => server.sending, { timeout: 20_000 }).toBe(0);
    parts.push(part);
  }
  expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  expect(asked('GetObject') - before).toBeGreaterThanOrEqual(2);
});

test('[BLB12] missing bytes: never taken for the end of the blob', async () => {
  const { server, store } = await scene();
  const digest = await keepBytes(store, randomBytes(100_000));
  server.faults.plan('GetObject', { do: 'cutBody', after: 0 }, 1_000);
  const failure = await failureOf(readBytes(store, digest));
  expect(faultOf(failure)).toBe('unavailable');
  server.faults.clear();
  server.contents.objects.delete(`p/${digest.slice(0, 2)}/${digest}`);
  expect(await failureOf(readBytes(store, digest))).toBeInstanceOf(BlobMissing);
});

test('[BLB12] bytes that do not match the digest: a full read fails', async () => {
  const { server, store } = await scene();
  const digest = await keepBytes(store, randomBytes(1_000));
  server.faults.plan('GetObject', { do: 'spoilBody', after: 500 });
  await expect(readBytes(store, digest)).rejects.toThrow('is damaged');
});

test('[BLB12] a reader that stops early: its connection is released', async () => {
  const { server, store } = await scene();
  const digest = await keepBytes(store, randomBytes(4 * MIB));
  server.faults.plan('GetObject', { do: 'hangBody', after: 2 * MIB });
  for await (const part of store.read(digest)) {
    expect(part.length).toBeGreaterThan(0);
    break;
  }
  await expect.poll(() => server.sending, { timeout: 20_000 }).toBe(0);
});

test('[BLB13] temporary errors of the store: retried and not visible to the caller', async () => {
  const { server, store } = await scene();
  const bytes = randomBytes(9 * MIB);
  server.faults.plan('PutObject', { do: 'reset' });
  server.faults.plan('PutObject', { do: 'answer', status: 503, code: 'ServiceUnavailable' });
  server.faults.plan('PutObject', { do: 'loseAnswer' });
  const small = await keepBytes(store, Buffer.from('small'));
  server.faults.plan('CreateMultipartUpload', { do: 'answer', status: 503, code: 'SlowDown' });
  server.faults.plan('UploadPart', { do: 'answer', status: 500, code: 'InternalError' }, 2);
  server.faults.plan('UploadPart', { do: 'reset' });
  const large = await keepBytes(store, bytes);
  server.faults.plan('GetObject', { do: 'answer', status: 500, code: 'InternalError' }, 3);
  expect((await readBytes(store, small)).toString()).toBe('small');
  expect((await readBytes(store, large)).equals(bytes)).toBe(true);
});

test('[BLB13] the last response of an upload is lost: the blob is stored', async () => {
  const { server, store } = await scene();
  const bytes = randomBytes(9 * MIB);
  server.faults.plan('CompleteMultipartUpload', { do: 'loseAnswer' });
  const digest = await keepBytes(store, bytes);
  expect((await readBytes(store, digest)).equals(bytes)).toBe(true);
});

test('[BLB13] an upload that fails midway: leaves nothing and can be repeated', async () => {
  const { server, staging, store } = await scene({ attempts: 2 });
  const bytes = randomBytes(20 * MIB);
  server.faults.plan('UploadPart', { do: 'answer', status: 500, code: 'InternalError' }, 100);
  expect(faultOf(await failureOf(keepBytes(store, bytes)))).toBe('unavailable');
  expect([server.contents.uploads.size, await store.has(sha256(bytes)), readdirSync(staging)]).toEqual([
    0,
    false,
    [],
  ]);
  server.faults.clear();
  expect((await readBytes(store, await keepBytes(store, bytes))).equals(bytes)).toBe(true);
});

test('[BLB13] an upload that another process aborts: fails', async () => {
  const { server, store } = await scene();
  const bytes = randomBytes(9 * MIB);
  let go = () => {};
  const until = new Promise<void>((resolve) => {
    go = resolve;
  });
  server.faults.plan('CompleteMultipartUpload', { do: 'wait', until });
  const failing = failureOf(keepBytes(store, bytes));
  await expect.poll(() => server.requests.at(-1), { timeout: 20_000 }).toMatch(/^CompleteMultipartUpload/);
  server.contents.uploads.clear();
  go();
  expect(String(await failing)).toContain('aborted');
  expect(await store.has(sha256(bytes))).toBe(false);
});

test('[BLB13] the store is unavailable: every call fails as unavailable and leaves no file', async () => {
  const { server, staging, store } = await scene({ attempts: 2 });
  const digest = await keepBytes(store, Buffer.from('x'));
  const { endpoint } = server;
  await server.stop();
  const failures = [
    await failureOf(keepBytes(store, Buffer.from('y'))),
    await failureOf(keepBytes(store, randomBytes(9 * MIB))),
    await failureOf(readBytes(store, digest)),
    await failureOf(store.delete(digest)),
    await failureOf(store.has(digest)),
    await failureOf(store.identity()),
  ];
  for (const failure of failures) {
    expect(faultOf(failure)).toBe('unavailable');
    expect(String(failure)).toContain(`s3://rowpress-test/p at ${endpoint}`);
  }
  expect(readdirSync(staging)).toEqual([]);
});

test('[BLB13] a rejected key or bucket: reported to the operator; an invalid request: a bug', async () => {
  const { server, store } = await scene();
  const put = async (status: number, code: string) => {
    server.faults.plan('PutObject', { do: 'answer', status, code });
    return faultOf(await failureOf(keepBytes(store, Buffer.from('x'))));
  };
  expect(await put(403, 'AccessDenied')).toBe('unavailable');
  expect(await put(400, 'ExpiredToken')).toBe('unavailable');
  expect(await put(404, 'NoSuchBucket')).toBe('unavailable');
  expect(await put(400, 'InvalidArgument')).toBeUndefined();
});

test('[BLB10] a full store: reported as such', async () => {
  const { server, staging, store } = await scene();
  for (const [status, code] of [
    [507, 'InsufficientStorage'],
    [403, 'QuotaExceeded'],
    [507, 'XMinioStorageFull'],
  ] as const) {
    server.faults.plan('PutObject', { do: 'answer', status, code });
    expect(faultOf(await failureOf(keepBytes(store, Buffer.from('x'))))).toBe('storageFull');
  }
  expect(await store.has(sha256(Buffer.from('x')))).toBe(false);
  expect(readdirSync(staging)).toEqual([]);
});

test('[BLB1] a file that changed between receipt and upload: not stored', async () => {
  const { server, store } = await scene();
  for (const size of [1_000, 9 * MIB]) {
    const staged = await store.receive(chunks(randomBytes(size)));
    writeFileSync(staged.path, randomBytes(size));
    await expect(staged.keep()).rejects.toThrow('changed');
    expect(await store.has(staged.digest)).toBe(false);
  }
  expect(server.contents.uploads.size).toBe(0);
});
