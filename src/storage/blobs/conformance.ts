import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BlobMissing, type BlobStore } from './blob-store.ts';

async function* chunks(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}

async function readAll(
  store: BlobStore,
  digest: string,
  range?: { start: number; end: number },
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of store.read(digest, range)) parts.push(part);
  return Buffer.concat(parts);
}

async function listAll(store: BlobStore): Promise<string[]> {
  const digests: string[] = [];
  for await (const { digest } of store.list()) digests.push(digest);
  return digests.sort();
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

/** What every blob store does; run against each implementation. */
export function describeBlobStore(name: string, open: () => Promise<BlobStore>): void {
  describe(`blob store: ${name}`, () => {
    test('[BLB1] a kept blob is named by the SHA-256 of its bytes and reads back whole', async () => {
      const store = await open();
      const bytes = randomBytes(3_000_000);
      const staged = await store.receive(
        chunks(bytes.subarray(0, 7), bytes.subarray(7, 2_000_000), bytes.subarray(2_000_000)),
      );
      expect(staged).toMatchObject({ digest: sha256(bytes), sizeBytes: bytes.length });
      await staged.keep();
      expect((await readAll(store, staged.digest)).equals(bytes)).toBe(true);
      expect(await listAll(store)).toEqual([staged.digest]);
    });

    test('[BLB2] before it is kept: not visible; after it is discarded: nothing is left', async () => {
      const store = await open();
      const staged = await store.receive(chunks('hello'));
      expect(await store.has(staged.digest)).toBe(false);
      expect(await listAll(store)).toEqual([]);
      await staged.discard();
      await staged.keep();
      expect(await store.has(staged.digest)).toBe(false);
      expect(existsSync(staged.path)).toBe(false);
    });

    test('[BLB2] a source that fails midway: leaves nothing', async () => {
      const store = await open();
      const failing = async function* () {
        yield Buffer.from('half');
        throw new Error('connection lost');
      };
      await expect(store.receive(failing())).rejects.toThrow('connection lost');
      expect(await store.sweepTemporary(new Date(Date.now() + 60_000))).toBe(0);
    });

    test('[BLB3] the same content kept twice, even concurrently: one blob', async () => {
      const store = await open();
      const staged = await Promise.all(Array.from({ length: 8 }, () => store.receive(chunks('same'))));
      await Promise.all(staged.map((blob) => blob.keep()));
      expect(await listAll(store)).toEqual([sha256('same')]);
      expect((await readAll(store, sha256('same'))).toString()).toBe('same');
    });

    test('[BLB4] byte ranges: inside, at the edges, empty', async () => {
      const store = await open();
      const staged = await store.receive(chunks('0123456789'));
      await staged.keep();
      const range = async (start: number, end: number) =>
        (await readAll(store, staged.digest, { start, end })).toString();
      expect(await range(0, 10)).toBe('0123456789');
      expect(await range(3, 7)).toBe('3456');
      expect(await range(9, 10)).toBe('9');
      expect(await range(4, 4)).toBe('');
    });

    test('[BLB5] an empty blob: stored and read', async () => {
      const store = await open();
      const staged = await store.receive(chunks());
      await staged.keep();
      expect(await store.has(sha256(''))).toBe(true);
      expect(await readAll(store, sha256(''))).toHaveLength(0);
    });

    test('[BLB6] delete: idempotent; a read of a missing blob: BlobMissing', async () => {
      const store = await open();
      const staged = await store.receive(chunks('x'));
      await staged.keep();
      await store.delete(staged.digest);
      await store.delete(staged.digest);
      expect(await store.has(staged.digest)).toBe(false);
      await expect(readAll(store, staged.digest)).rejects.toBeInstanceOf(BlobMissing);
    });

    test('[BLB7] files of crashed uploads: swept by age; stored blobs stay', async () => {
      const store = await open();
      const kept = await store.receive(chunks('kept'));
      await kept.keep();
      await store.receive(chunks('abandoned'));
      expect(await store.sweepTemporary(new Date(Date.now() - 60_000))).toBe(0);
      expect(await store.sweepTemporary(new Date(Date.now() + 60_000))).toBe(1);
      expect(await listAll(store)).toEqual([kept.digest]);
    });

    test('[BLB9] a store: names itself once, even for concurrent callers, and no other store has that name', async () => {
      const [store, other] = [await open(), await open()];
      const names = await Promise.all(Array.from({ length: 5 }, () => store.identity()));
      expect(new Set(names).size).toBe(1);
      expect(names[0]).toMatch(/^[0-9a-f]{64}$/);
      expect(await store.identity()).toBe(names[0]);
      expect(await other.identity()).not.toBe(names[0]);
      expect(await listAll(store)).toEqual([]);
    });
  });
}
