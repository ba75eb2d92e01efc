/**
 * What encryption of blobs costs: put, whole reads and ranged reads of the disk store, plain and encrypted, in
 * turns in one run. Prints the best throughput of each way, because other processes only ever slow a round
 * down, and the least processor time.
 *
 *   node bench/blobs/run.ts [rounds]
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StagedBlob } from '#storage/blobs/blob-store.ts';
import { DataKey } from '#storage/blobs/data-key.ts';
import { DiskBlobs } from '#storage/blobs/disk.ts';
import { EncryptedStore } from '#storage/blobs/encrypted-store.ts';

const MIB = 1 << 20;
const rounds = Number(process.argv[2] ?? 11);
const RANGE_BYTES = 4096;
const RANGES = 200;
const sizes = [
  { name: '64 KiB', bytes: 64 * 1024, blobs: 100 },
  { name: '1 MiB', bytes: MIB, blobs: 20 },
  { name: '32 MiB', bytes: 32 * MIB, blobs: 1 },
];

const key = new DataKey('0123456789abcdef', randomBytes(32));
const keys = { ofAccount: async () => key, byId: async () => key };

async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

async function drain(parts: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const part of parts) bytes += part.length;
  return bytes;
}

/** Amount per second of wall clock, and per second of processor time. */
interface Rate {
  readonly wall: number;
  readonly cpu: number;
}
type Work = 'put' | 'whole' | 'ranges';

async function rateOf(amount: number, work: () => Promise<void>): Promise<Rate> {
  const [start, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return { wall: (amount / (performance.now() - start)) * 1e3, cpu: (amount / (user + system)) * 1e6 };
}

async function measure(
  store: EncryptedStore,
  receive: (bytes: AsyncIterable<Uint8Array>) => Promise<StagedBlob>,
  contents: readonly Buffer[],
): Promise<Record<Work, Rate>> {
  const megabytes = contents.reduce((sum, { length }) => sum + length, 0) / 1e6;
  const names: string[] = [];
  const put = await rateOf(megabytes, async () => {
    for (const content of contents) {
      const staged = await receive(pieces(content));
      await staged.keep();
      names.push(staged.name);
    }
  });
  const whole = await rateOf(megabytes, async () => {
    for (const name of names) await drain(store.read(name));
  });
  const ranges = await rateOf(RANGES, async () => {
    for (let n = 0; n < RANGES; n += 1) {
      const name = names[n % names.length] ?? '';
      const start = (n * 7_919 * 13) % ((contents[0]?.length ?? 0) - RANGE_BYTES);
      await drain(store.read(name, { start, end: start + RANGE_BYTES }));
    }
  });
  for (const name of names) await store.delete(name);
  return { put, whole, ranges };
}

const root = await mkdtemp(join(tmpdir(), 'rp-bench-blobs-'));
try {
  const store = new EncryptedStore(await DiskBlobs.open(root), keys);
  const ways = {
    plain: (bytes: AsyncIterable<Uint8Array>) => store.receive(bytes),
    encrypted: (bytes: AsyncIterable<Uint8Array>) => store.receiveEncrypted('account', bytes),
    upload: async (bytes: AsyncIterable<Uint8Array>) => store.encrypt('account', await store.receive(bytes)),
  };
  console.log('| blobs | work | way | per second | ratio | per second of processor time | ratio |');
  console.log('|---|---|---|---|---|---|---|');
  for (const { name, bytes, blobs } of sizes) {
    const seen: Record<keyof typeof ways, Record<Work, Rate>[]> = { plain: [], encrypted: [], upload: [] };
    for (let round = 0; round < rounds; round += 1)
      for (const [way, receive] of Object.entries(ways)) {
        const contents = Array.from({ length: blobs }, () => randomBytes(bytes));
        seen[way as keyof typeof ways].push(await measure(store, receive, contents));
      }
    const best = (way: keyof typeof ways, work: Work, rate: keyof Rate) =>
      Math.max(...seen[way].map((measured) => measured[work][rate]));
    for (const [work, unit] of [
      ['put', 'MB'],
      ['whole', 'MB'],
      ['ranges', 'ranges of 4 KiB'],
    ] as const)
      for (const way of ['plain', 'encrypted', 'upload'] as const) {
        if (way === 'upload' && work !== 'put') continue;
        const cells = (['wall', 'cpu'] as const).flatMap((rate) => {
          const value = best(way, work, rate);
          return [value.toFixed(0), (value / best('plain', work, rate)).toFixed(2)];
        });
        console.log(`| ${blobs} × ${name} | ${work} (${unit}) | ${way} | ${cells.join(' | ')} |`);
      }
  }
} finally {
  await rm(root, { recursive: true, force: true });
}
