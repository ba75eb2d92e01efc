import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CHUNK_BYTES, SEALED_CHUNK_BYTES, sealedLength } from '#lib/encryption/chunk-cipher.ts';
import { faultOf } from '#lib/errors/fault-of.ts';
import { chunks, keepBytes, readBytes } from '../../../test/support/blob-bytes.ts';
import { encryptingStore, fixedDataKeys } from '../../../test/support/encrypted-store.ts';
import { openS3Blobs, startS3Server } from '../../../test/support/s3-server/open-s3-blobs.ts';
import type { BlobStore } from './blob-store.ts';
import { describeBlobStore } from './conformance.ts';
import { DiskBlobs } from './disk.ts';
import { EncryptedStore } from './encrypted-store.ts';

const keys = fixedDataKeys();
const key = await keys.ofAccount('acme');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
const nameOf = (bytes: Uint8Array | string) => key.nameOf(sha256(bytes));

function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'rp-encrypted-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

describeBlobStore('encrypted, disk', async () => encryptingStore(await DiskBlobs.open(makeRoot()), 'acme'), {
  nameOf,
});
describeBlobStore(
  'encrypted, S3',
  async () => encryptingStore(await openS3Blobs(await startS3Server()), 'acme'),
  { nameOf },
);

async function diskScene() {
  const root = makeRoot();
  const disk = await DiskBlobs.open(root);
  const of = (accountId: string) => encryptingStore(disk, accountId);
  const fileOf = (name: string) => disk.localPath(name);
  return { root, disk, of, fileOf, store: new EncryptedStore(disk, keys) };
}

const failureOf = (store: BlobStore, name: string, range?: { start: number; end: number }) =>
  readBytes(store, name, range).then(
    (bytes) => `read ${bytes.length} bytes`,
    (error: unknown) => faultOf(error) ?? error,
  );

/** Includes temporary files, which are read while they exist. */
const filesIn = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));

test.each([1_000, 3_000_000])(
  '[SEC16] an encrypted blob of %d bytes: no plaintext reaches the disk',
  async (size) => {
    const { root, of } = await diskScene();
    const marker = Buffer.from('a row value that must not be found');
    const bytes = Buffer.concat([randomBytes(size), marker, randomBytes(10)]);
    const seen: boolean[] = [];
    const look = () => seen.push(filesIn(root).some((file) => file.includes(marker)));
    const staged = await of('acme').receive(
      (async function* () {
        yield* chunks(bytes);
        look();
        yield randomBytes(2_000_000);
        look();
      })(),
    );
    look();
    await staged.keep();
    look();
    expect(seen).toEqual([false, false, false, false]);
    expect(staged.sizeBytes).toBe(bytes.length + 2_000_000);
  },
);

test('[SEC17] equal content of two accounts: two blobs, and neither key opens the other', async () => {
  const { of, fileOf, store } = await diskScene();
  const bytes = randomBytes(200_000);
  const [acme, other] = [await keepBytes(of('acme'), bytes), await keepBytes(of('other'), bytes)];
  expect(acme).not.toBe(other);
  expect(acme).not.toContain(sha256(bytes));
  const [one, two] = [readFileSync(fileOf(acme)), readFileSync(fileOf(other))];
  expect(one.length).toBe(sealedLength(bytes.length));
  expect(one.equals(two)).toBe(false);
  writeFileSync(fileOf(acme), two);
  expect(await failureOf(store, acme)).toBe('damaged');
  expect(await failureOf(store, acme, { start: 70_000, end: 70_001 })).toBe('damaged');
  expect((await readBytes(store, other)).equals(bytes)).toBe(true);
});

test('[SEC17] equal content of one account: one blob with the same bytes, so a repeated put changes nothing', async () => {
  const { root, of, fileOf } = await diskScene();
  const bytes = randomBytes(200_000);
  const name = await keepBytes(of('acme'), bytes);
  const before = readFileSync(fileOf(name));
  expect(await keepBytes(of('acme'), bytes)).toBe(name);
  expect(readFileSync(fileOf(name)).equals(before)).toBe(true);
  expect(filesIn(root)).toHaveLength(1);
});

test('[SEC18] plain and encrypted blobs in one store: each is read correctly', async () => {
  const { disk, of, store } = await diskScene();
  const bytes = randomBytes(100_000);
  const plain = await keepBytes(disk, bytes);
  const encrypted = await keepBytes(of('acme'), bytes);
  for (const name of [plain, encrypted]) {
    expect((await readBytes(store, name)).equals(bytes)).toBe(true);
    const part = await readBytes(store, name, { start: 65_000, end: 66_000 });
    expect(part.equals(bytes.subarray(65_000, 66_000))).toBe(true);
  }
  // A plain blob whose content is a copy of an encrypted file stays a plain blob.
  const copied = await keepBytes(disk, readFileSync(disk.localPath(encrypted)));
  expect((await readBytes(store, copied)).equals(readFileSync(disk.localPath(encrypted)))).toBe(true);
});

test('[SEC19] a received file that changed before it is encrypted: refused, and nothing of it is left', async () => {
  const { root, disk, store } = await diskScene();
  const staged = await disk.receive(chunks(randomBytes(100_000)));
  writeFileSync(staged.path, randomBytes(100_000));
  await expect(store.encrypt('acme', staged)).rejects.toThrow('changed');
  expect(filesIn(root)).toEqual([]);
});

test('[SEC16] a received file that is encrypted when it is kept: leaves no plaintext behind', async () => {
  const { root, store } = await diskScene();
  const bytes = Buffer.concat([Buffer.from('%PDF-1.7 plain'), randomBytes(100_000)]);
  const received = await store.receive(chunks(bytes));
  expect(readFileSync(received.path).equals(bytes)).toBe(true);
  const staged = await store.encrypt('acme', received);
  expect(staged).toMatchObject({ name: nameOf(bytes), digest: sha256(bytes), sizeBytes: bytes.length });
  await staged.keep();
  const files = filesIn(root);
  expect(files).toHaveLength(1);
  expect(files[0]?.includes('%PDF-1.7')).toBe(false);
  expect((await readBytes(store, staged.name)).equals(bytes)).toBe(true);
});

const CHUNKS = 3;
const TAIL = 100;
const chunkAt = (n: number) => n * SEALED_CHUNK_BYTES;
type Damage = (file: Buffer, others: { sibling: Buffer; foreign: Buffer }) => Buffer;
const flip =
  (at: number): Damage =>
  (file) => {
    const changed = Buffer.from(file);
    const place = at < 0 ? file.length + at : at;
    changed.writeUInt8(changed.readUInt8(place) ^ 0x01, place);
    return changed;
  };
const cut =
  (to: number): Damage =>
  (file) =>
    file.subarray(0, to < 0 ? file.length + to : to);
const arrange =
  (...order: number[]): Damage =>
  (file) =>
    Buffer.concat(order.map((n) => file.subarray(chunkAt(n), chunkAt(n + 1))));

const damages: [string, Damage][] = [
  ['a flipped bit in the first byte', flip(0)],
  ['a flipped bit in the body of the first chunk', flip(30_000)],
  ['a flipped bit in the tag of the first chunk', flip(chunkAt(1) - 16)],
  ['a flipped bit in the body of a middle chunk', flip(chunkAt(1) + 5)],
  ['a flipped bit in the tag of a middle chunk', flip(chunkAt(2) - 1)],
  ['a flipped bit in the last chunk', flip(chunkAt(CHUNKS) + 3)],
  ['a flipped bit in the last tag', flip(-1)],
  ['an empty file', cut(0)],
  ['a file cut within the first tag', cut(10)],
  ['a file cut within a chunk', cut(chunkAt(1) + 1_000)],
  ['a file cut between two chunks', cut(chunkAt(2))],
  ['a file cut before its last chunk', cut(chunkAt(CHUNKS))],
  ['a file without its last byte', cut(-1)],
  ['a byte after the end', (file) => Buffer.concat([file, Buffer.from([0])])],
  ['the last chunk repeated', (file) => Buffer.concat([file, file.subarray(chunkAt(CHUNKS))])],
  ['two chunks swapped', arrange(1, 0, 2, 3)],
  ['a chunk left out', arrange(0, 2, 3)],
  ['a chunk repeated', arrange(0, 0, 2, 3)],
  [
    'a chunk of another blob of the account',
    (file, { sibling }) => Buffer.concat([sibling.subarray(0, chunkAt(1)), file.subarray(chunkAt(1))]),
  ],
  ['another blob of the account', (_file, { sibling }) => sibling],
  ['the same content of another account', (_file, { foreign }) => foreign],
  ['plain content', (file) => randomBytes(file.length)],
];

test.each(damages)('[SEC19] %s: fails as damaged, and no wrong byte is read', async (_what, damage) => {
  const { of, fileOf, store } = await diskScene();
  const bytes = randomBytes(CHUNKS * CHUNK_BYTES + TAIL);
  const name = await keepBytes(of('acme'), bytes);
  const sibling = readFileSync(fileOf(await keepBytes(of('acme'), randomBytes(bytes.length))));
  const foreign = readFileSync(fileOf(await keepBytes(of('other'), bytes)));
  const file = readFileSync(fileOf(name));
  writeFileSync(fileOf(name), damage(file, { sibling, foreign }));
  expect(await failureOf(store, name)).toBe('damaged');

  let failed = 0;
  for (let n = 0; n <= CHUNKS; n += 1) {
    const [start, end] = [n * CHUNK_BYTES, Math.min((n + 1) * CHUNK_BYTES, bytes.length)];
    for (const range of [
      { start, end },
      { start: start + 7, end: start + 9 },
      { start: end - 1, end },
    ]) {
      const parts: Uint8Array[] = [];
      const failure = await (async () => {
        for await (const part of store.read(name, range)) parts.push(part);
      })().catch((error: unknown) => faultOf(error));
      const read = Buffer.concat(parts);
      // Bytes that are read are correct; bytes that cannot be read are reported.
      expect(read.equals(bytes.subarray(range.start, range.start + read.length))).toBe(true);
      expect(failure).toBe(read.length === range.end - range.start ? undefined : 'damaged');
      if (failure !== undefined) failed += 1;
    }
  }
  expect(failed).toBeGreaterThan(0);
});
