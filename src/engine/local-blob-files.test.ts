import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { faultOf } from '#lib/errors/fault-of.ts';
import { DataKey } from '#storage/blobs/data-key.ts';
import { LocalBlobFiles } from './local-blob-files.ts';

const DIGEST = 'a'.repeat(64);
const dataKey = new DataKey('0123456789abcdef', Buffer.alloc(32, 7));
const keys = { byId: async () => dataKey };

async function scene() {
  const directory = await mkdtemp(join(tmpdir(), 'rp-copies-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  let now = new Date('2026-01-01T00:00:00Z');
  let reads = 0;
  let broken = false;
  let served: Buffer | undefined;
  const store = {
    localPath: () => undefined,
    async *read(): AsyncGenerator<Buffer> {
      reads += 1;
      if (served !== undefined) return yield served;
      yield Buffer.from('pic');
      if (broken) throw new Error('the store is unavailable');
      yield Buffer.from('tures');
    },
  };
  return {
    directory,
    files: new LocalBlobFiles(store, join(directory, 'copies'), { now: () => now }, keys),
    reads: () => reads,
    serve: (bytes: Buffer) => {
      served = bytes;
    },
    breakStore: (is: boolean) => {
      broken = is;
    },
    at: (time: string) => {
      now = new Date(time);
    },
  };
}

test('[FILL146] a blob of an object store: copied once for all users', async () => {
  const { files, reads } = await scene();
  const paths = await Promise.all([files.open(DIGEST), files.open(DIGEST)]);
  expect(new Set(paths.map(({ path }) => path)).size).toBe(1);
  expect(await readFile((await files.open(DIGEST)).path, 'utf8')).toBe('pictures');
  expect(reads()).toBe(1);
});

test('[FILL146] a copy that breaks off: leaves nothing behind', async () => {
  const { files, directory, breakStore } = await scene();
  breakStore(true);
  await expect(files.open(DIGEST)).rejects.toThrow('unavailable');
  expect(await readdir(join(directory, 'copies'))).toEqual([]);
  breakStore(false);
  expect(await readFile((await files.open(DIGEST)).path, 'utf8')).toBe('pictures');
});

test('[FILL146] a copy that was not used for a while: deleted', async () => {
  const { files, at } = await scene();
  await files.open(DIGEST);
  at('2026-01-01T10:00:00Z');
  const { path } = await files.open(DIGEST);
  expect(await files.sweep(new Date('2026-01-01T09:00:00Z'))).toBe(0);
  expect(await files.sweep(new Date('2026-01-01T11:00:00Z'))).toBe(1);
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

test('[FILL146] a blob that is already a file: not copied', async () => {
  const { directory } = await scene();
  const store = { localPath: () => '/blobs/aa', read: () => expect.unreachable() };
  const files = new LocalBlobFiles(store, join(directory, 'copies'), { now: () => new Date(0) }, keys);
  expect(await files.open(DIGEST)).toEqual({ path: '/blobs/aa' });
});

test('[SEC22] an encrypted blob: is copied as it is stored, with the key that opens it', async () => {
  const { files, serve } = await scene();
  const name = dataKey.nameOf(DIGEST);
  const stored = dataKey.cipherOf(name).seal(0, true, Buffer.from('pictures'));
  serve(stored);
  const { path, encryption } = await files.open(name);
  expect((await readFile(path)).equals(stored)).toBe(true);
  expect(encryption).toEqual({ key: dataKey.blobKey(name), context: name });
});

test('[SEC19] an encrypted blob that was damaged on its way: no copy is kept, and the next attempt reads the store', async () => {
  const { files, directory, serve } = await scene();
  const name = dataKey.nameOf(DIGEST);
  const stored = dataKey.cipherOf(name).seal(0, true, Buffer.from('pictures'));
  for (const bytes of [Buffer.alloc(stored.length), stored.subarray(1), Buffer.concat([stored, stored])]) {
    serve(bytes);
    const failure = await files.open(name).catch((error: unknown) => error);
    expect(faultOf(failure)).toBe('damaged');
    expect(await readdir(join(directory, 'copies'))).toEqual([]);
  }
  serve(stored);
  expect((await readFile((await files.open(name)).path)).equals(stored)).toBe(true);
});
