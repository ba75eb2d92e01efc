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

export interface StoreTraits {
  /** Returns the store's name for content; by default its SHA-256. */
  readonly nameOf?: (bytes: Uint8Array | string) => string;
}

/** The tests that every blob store must pass. */
export function describeBlobStore(
  name: string,
  open: () => Promise<BlobStore>,
  { nameOf = sha256 }: StoreTraits = {},
): void {
  describe(`blob store: ${name}`, () => {
    test('[BLB1] a kept blob: is named after its content and reads back whole', async () => {
      const store = await open();
      const bytes = randomBytes(3_000_000);
      const staged = await store.receive(
        chunks(bytes.subarray(0, 7), bytes.subarray(7, 2_000_000), bytes.subarray(2_000_000)),
      );
      expect(staged).toMatchObject({
        name: nameOf(bytes),
        digest: sha256(bytes),
        sizeBytes: bytes.length,
      });
      await staged.keep();
      expect((await readAll(store, staged.name)).equals(bytes)).toBe(true);
      expect(await listAll(store)).toEqual([staged.name]);
    });

    test('[BLB2] before it is kept: not visible; after it is discarded: nothing is left', async () => {
      const store = await open();
      const staged = await store.receive(chunks('hello'));
      expect(await store.has(staged.name)).toBe(false);
      expect(await listAll(store)).toEqual([]);
      await staged.discard();
      await staged.keep();
      expect(await store.has(staged.name)).toBe(false);
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
      expect(await listAll(store)).toEqual([nameOf('same')]);
      expect((await readAll(store, nameOf('same'))).toString()).toBe('same');
    });

    test('[BLB4] byte ranges: inside, at the edges, empty', async () => {
      const store = await open();
      const staged = await store.receive(chunks('0123456789'));
      await staged.keep();
      const range = async (start: number, end: number) =>
        (await readAll(store, staged.name, { start, end })).toString();
      expect(await range(0, 10)).toBe('0123456789');
      expect(await range(3, 7)).toBe('3456');
      expect(await range(9, 10)).toBe('9');
      expect(await range(4, 4)).toBe('');
      expect(await range(8, 100)).toBe('89');
    });

    test('[BLB4] byte ranges of a large blob: the same bytes as in the content', async () => {
      const store = await open();
      const bytes = randomBytes(500_000);
      const staged = await store.receive(chunks(bytes));
      await staged.keep();
      const marks = [0, 1, 65_535, 65_536, 65_537, 131_072, 400_000, 499_999, 500_000];
      for (const start of marks)
        for (const end of marks.filter((mark) => mark > start))
          expect((await readAll(store, staged.name, { start, end })).equals(bytes.subarray(start, end))).toBe(
            true,
          );
    });

    test('[BLB5] an empty blob: stored and read', async () => {
      const store = await open();
      const staged = await store.receive(chunks());
      await staged.keep();
      expect(await store.has(nameOf(''))).toBe(true);
      expect(await readAll(store, nameOf(''))).toHaveLength(0);
    });

    test('[BLB6] delete: idempotent; a read of a missing blob: BlobMissing', async () => {
      const store = await open();
      const staged = await store.receive(chunks('x'));
      await staged.keep();
      await store.delete(staged.name);
      await store.delete(staged.name);
      expect(await store.has(staged.name)).toBe(false);
      await expect(readAll(store, staged.name)).rejects.toBeInstanceOf(BlobMissing);
    });

    test('[BLB7] files of crashed uploads: swept by age; stored blobs stay', async () => {
      const store = await open();
      const kept = await store.receive(chunks('kept'));
      await kept.keep();
      await store.receive(chunks('abandoned'));
      expect(await store.sweepTemporary(new Date(Date.now() - 60_000))).toBe(0);
      expect(await store.sweepTemporary(new Date(Date.now() + 60_000))).toBe(1);
      expect(await listAll(store)).toEqual([kept.name]);
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
