import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { CHUNK_BYTES, ChunkCipher, DamagedChunk, SEALED_CHUNK_BYTES, sealedLength } from './chunk-cipher.ts';
import { chunksOf, openedRange, openRange, sealedRange } from './chunk-range.ts';
import { opened, opening, sealed, sealing } from './chunk-stream.ts';

const key = randomBytes(32);
const cipher = new ChunkCipher(key, Buffer.from('context'));

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function all(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const part of parts) found.push(part);
  return Buffer.concat(found);
}
const seal = (plain: Buffer, size = 10_000) => all(sealed(cipher, pieces(plain, size)));
const open = (bytes: Buffer, by = cipher) => all(opened(by, pieces(bytes, 30_000)));

const SIZES = [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES, 3 * CHUNK_BYTES + 5];

test.each(SIZES)('[SEC13] a sealed stream of %d bytes: opens, however the input is split', async (size) => {
  const plain = randomBytes(size);
  for (const pieceSize of [7_919, CHUNK_BYTES, 1 << 20]) {
    const bytes = await seal(plain, pieceSize);
    expect(bytes.length).toBe(sealedLength(size));
    expect((await open(bytes)).equals(plain)).toBe(true);
  }
  const streamed = await buffer(Readable.from([plain]).pipe(sealing(cipher)));
  expect(streamed.equals(await seal(plain))).toBe(true);
  expect((await buffer(Readable.from([streamed]).pipe(opening(cipher)))).equals(plain)).toBe(true);
});

test('[SEC13] a changed byte in the ciphertext or tag of any chunk: detected', async () => {
  const bytes = await seal(randomBytes(2 * CHUNK_BYTES + 100));
  const places = [0, 1].flatMap((chunk) => [
    chunk * SEALED_CHUNK_BYTES,
    chunk * SEALED_CHUNK_BYTES + 40_000,
    (chunk + 1) * SEALED_CHUNK_BYTES - 17,
    (chunk + 1) * SEALED_CHUNK_BYTES - 16,
    (chunk + 1) * SEALED_CHUNK_BYTES - 1,
  ]);
  for (const at of [...places, bytes.length - 30, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 0x80, at);
    await expect(open(changed)).rejects.toThrow(DamagedChunk);
  }
});

test('[SEC13] a stream that is cut, even between two chunks, or has extra bytes: detected', async () => {
  const bytes = await seal(randomBytes(2 * CHUNK_BYTES + 100));
  const ends = [0, 5, 16, SEALED_CHUNK_BYTES, 2 * SEALED_CHUNK_BYTES, bytes.length - 1];
  for (const end of ends) await expect(open(bytes.subarray(0, end))).rejects.toThrow(DamagedChunk);
  await expect(open(Buffer.concat([bytes, Buffer.from('x')]))).rejects.toThrow(DamagedChunk);
  await expect(open(Buffer.concat([bytes, bytes.subarray(-116)]))).rejects.toThrow(DamagedChunk);
});

test('[SEC13] reordered, repeated or missing chunks: detected', async () => {
  const bytes = await seal(randomBytes(3 * CHUNK_BYTES + 9));
  const chunk = (n: number) => bytes.subarray(n * SEALED_CHUNK_BYTES, (n + 1) * SEALED_CHUNK_BYTES);
  const orders = [
    [1, 0, 2, 3],
    [0, 0, 2, 3],
    [0, 2, 3],
    [0, 1, 2, 2, 3],
  ];
  for (const order of orders)
    await expect(open(Buffer.concat(order.map(chunk)))).rejects.toThrow(DamagedChunk);
});

test('[SEC13] another key or another context: cannot open the stream', async () => {
  const bytes = await seal(randomBytes(100));
  const others = [
    new ChunkCipher(randomBytes(32), Buffer.from('context')),
    new ChunkCipher(key, Buffer.from('contexT')),
  ];
  for (const other of others) await expect(open(bytes, other)).rejects.toThrow(DamagedChunk);
});

test('[SEC13] a run of chunks: opens alone, and only at its own position', async () => {
  const plain = randomBytes(3 * CHUNK_BYTES + 9);
  const bytes = await seal(plain);
  const run = bytes.subarray(SEALED_CHUNK_BYTES, 3 * SEALED_CHUNK_BYTES);
  const middle = await all(opened(cipher, pieces(run, 9_999), { firstIndex: 1, lastIndex: 2 }));
  const sha = (part: Buffer) => createHash('sha256').update(part).digest('hex');
  expect(sha(middle)).toBe(sha(plain.subarray(CHUNK_BYTES, 3 * CHUNK_BYTES)));
  const asEnd = all(opened(cipher, pieces(run, 9_999), { firstIndex: 1 }));
  await expect(asEnd).rejects.toThrow(DamagedChunk);
  const cutShort = all(opened(cipher, pieces(run, 9_999), { firstIndex: 1, lastIndex: 3 }));
  await expect(cutShort).rejects.toThrow(DamagedChunk);
  const elsewhere = all(opened(cipher, pieces(run, 9_999), { firstIndex: 0, lastIndex: 1 }));
  await expect(elsewhere).rejects.toThrow(DamagedChunk);
});

test.each(SIZES.filter((size) => size > 0))(
  '[SEC13] every range of a stream of %d bytes: reads the chunks that hold it and no others',
  async (size) => {
    const plain = randomBytes(size);
    const bytes = await seal(plain);
    const marks = [
      0,
      1,
      CHUNK_BYTES - 1,
      CHUNK_BYTES,
      CHUNK_BYTES + 1,
      2 * CHUNK_BYTES,
      size - 1,
      size,
      size + 9,
    ];
    for (const start of marks) {
      for (const end of marks) {
        const range = { start, end };
        const asked: { start: number; end: number }[] = [];
        const read = (sealedPart: { start: number; end: number }) => {
          asked.push(sealedPart);
          return pieces(bytes.subarray(sealedPart.start, sealedPart.end), 50_000);
        };
        const found = all(openedRange(cipher, range, read));
        if (start < end && start >= size) {
          await expect(found).rejects.toThrow(DamagedChunk);
          continue;
        }
        expect((await found).equals(plain.subarray(start, Math.max(start, end)))).toBe(true);
        if (start >= end) expect(asked).toEqual([]);
        if (start >= end || end > size) continue;
        const { first, last } = chunksOf(range);
        expect(asked).toEqual([{ start: first * SEALED_CHUNK_BYTES, end: (last + 1) * SEALED_CHUNK_BYTES }]);
        const at = sealedRange(range);
        const whole = openRange(cipher, range, bytes.subarray(at.start, at.end));
        expect(whole.equals(plain.subarray(start, end))).toBe(true);
      }
    }
  },
);
