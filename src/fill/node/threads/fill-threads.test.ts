import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { zipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_ASSET_LIMITS } from '#fill/draw/images/asset-limits.ts';
import type { FilledPiece } from '#fill/fill-rows.ts';
import { prepareFill } from '#fill/prepare-fill.ts';
import { ChunkCipher } from '#lib/encryption/chunk-cipher.ts';
import { faultOf } from '#lib/errors/fault-of.ts';
import { letterPdf } from '../../../../test/support/bulkfill-server.ts';
import { bundledKit } from '../../../../test/support/drawn-row-pdf.ts';
import { box } from '../../../../test/support/fill-cli.ts';
import { noisePng } from '../../../../test/support/noise-png.ts';
import { planOf } from '../../../../test/support/prepared.ts';
import { quartersJpeg } from '../../../../test/support/small-jpeg.ts';
import { checkZip } from '../assets/check-zip.ts';
import { nativeCodec } from '../native-codec.ts';
import { FillThreads } from './fill-threads.ts';
import { ThreadSlice } from './slice-in-progress.ts';
import { THREAD_LIMITS } from './thread-failure.ts';
import type { Template } from './thread-messages.ts';

test('[FILL144] a thread that ended while it was idle: replaced', async () => {
  const { template, rows } = await largePictures();
  const threads = new FillThreads(1, THREAD_LIMITS);
  const workers: Worker[] = [];
  const note = (worker: Worker) => void workers.push(worker);
  process.on('worker', note);
  onTestFinished(async () => {
    process.off('worker', note);
    await threads.close();
  });
  const filled = async () => {
    let count = 0;
    for await (const { records } of threads.fill(template, 1, rows, AbortSignal.timeout(60_000)))
      count += records.length;
    return count;
  };

  expect(await filled()).toBe(12);
  await workers[0]?.terminate();
  expect(await filled()).toBe(12);
  expect(workers).toHaveLength(2);
});

test('[FILL144] a slice with large pictures: arrives in pieces; a caller that stops early frees the thread', async () => {
  const { template, rows } = await largePictures();
  const threads = new FillThreads(1, THREAD_LIMITS);
  onTestFinished(() => threads.close());
  const filled = () => threads.fill(template, 1, rows, AbortSignal.timeout(60_000));
  const pieces: FilledPiece[] = [];
  for await (const piece of filled()) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.flatMap(({ records }) => records)).toHaveLength(12);
  for await (const piece of filled()) {
    expect(piece.tails.length).toBe(pieces[0]?.tails.length);
    break;
  }
  let again = 0;
  for await (const { records } of filled()) again += records.length;
  expect(again).toBe(12);
});

test('[LIM51] a thread that has drawn a picture of 9 MB: frees its memory before it is idle', async () => {
  const { template, rows } = await largePictures(noisePng(2000, 1500));
  const threads = new FillThreads(1, THREAD_LIMITS);
  const workers: Worker[] = [];
  const note = (worker: Worker) => void workers.push(worker);
  process.on('worker', note);
  onTestFinished(async () => {
    process.off('worker', note);
    await threads.close();
  });
  const row = rows.subarray(0, rows.indexOf(10) + 1);
  for await (const { records } of threads.fill(template, 1, row, AbortSignal.timeout(60_000)))
    expect(records).toHaveLength(1);
  const external = async () => (await workers[0]?.getHeapStatistics())?.external_memory;
  await expect.poll(external, { timeout: 10_000 }).toBeLessThan(25_000_000);
  // Its pictures are gone, and it can still draw them.
  for await (const { records } of threads.fill(template, 2, row, AbortSignal.timeout(60_000)))
    expect(records).toHaveLength(1);
});

test('[FILL144] pieces that are not taken: counted as taken when they are dropped', () => {
  const passed: number[] = [];
  const slice = new ThreadSlice((bytes) => passed.push(bytes));
  for (const size of [4, 5, 6]) slice.add({ tails: new Uint8Array(size) });
  slice.end();
  expect(slice.take()?.tails).toHaveLength(4);
  expect(passed).toEqual([]);
  slice.drop();
  expect(passed).toEqual([4, 5, 6]);
  expect(slice.heldBytes).toBe(0);
});

test('[FILL144] a slice that is aborted: its thread ends, and the next slice gets another', async () => {
  const { template, rows } = await largePictures();
  const threads = new FillThreads(1, THREAD_LIMITS);
  onTestFinished(() => threads.close());
  const stop = new AbortController();
  const aborted = async () => {
    for await (const _ of threads.fill(template, 1, rows, stop.signal)) stop.abort();
  };
  await expect(aborted()).rejects.toThrow('aborted');
  await expect(threads.fill(template, 1, rows, stop.signal).next()).rejects.toThrow('aborted');
  let filled = 0;
  for await (const { records } of threads.fill(template, 1, rows, AbortSignal.timeout(60_000)))
    filled += records.length;
  expect(filled).toBe(12);
});

test('[FILL144] a template that cannot be opened: its slice fails, and the thread fills the next one', async () => {
  const { template, rows } = await largePictures();
  const threads = new FillThreads(1, THREAD_LIMITS);
  onTestFinished(() => threads.close());
  const fill = async (of: Template) => {
    let filled = 0;
    for await (const { records } of threads.fill(of, 1, rows, AbortSignal.timeout(60_000)))
      filled += records.length;
    return filled;
  };
  const broken = { ...template, key: 'broken', facts: {} as Template['facts'] };
  await expect(fill(broken)).rejects.toThrow('a thread failed');
  expect(await fill(template)).toBe(12);
  // More templates than a thread keeps.
  for (const key of ['a', 'b', 'c', 'd', 'e', 'photos', 'a'])
    expect(await fill({ ...template, key })).toBe(12);
});

test('[SEC19] an encrypted ZIP of pictures that is damaged: the failure keeps its code, and the thread fills the next slice', async () => {
  const { template, rows } = await largePictures();
  const threads = new FillThreads(1, THREAD_LIMITS);
  onTestFinished(() => threads.close());
  const folder = mkdtempSync(join(tmpdir(), 'rp-pictures-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [plain, path] = [join(folder, 'plain.zip'), join(folder, 'encrypted.zip')];
  writeFileSync(plain, zipSync({ 'photo.jpg': new Uint8Array(quartersJpeg) }));
  const entries = await checkZip(plain, DEFAULT_ASSET_LIMITS);
  const encryption = { key: randomBytes(32), context: 'name' };
  const cipher = new ChunkCipher(encryption.key, Buffer.from(encryption.context));
  const whole = cipher.seal(0, true, readFileSync(plain));
  const encrypted: Template = {
    ...template,
    key: 'encrypted',
    plan: { ...template.plan, assets: new Map() },
    assets: { kind: 'zip', path, entries, encryption },
  };
  const failed = async (of: Template) => {
    let count = 0;
    for await (const { records } of threads.fill(of, 1, rows, AbortSignal.timeout(60_000)))
      count += records.filter(({ result }) => result.status === 'failed').length;
    return count;
  };
  for (const bytes of [
    whole.subarray(1),
    whole.subarray(0, 9),
    Buffer.alloc(0),
    Buffer.alloc(whole.length),
  ]) {
    writeFileSync(path, bytes);
    const failure = await failed(encrypted).catch((error: unknown) => error);
    expect(faultOf(failure)).toBe('damaged');
    expect(await failed(template)).toBe(0);
  }
  writeFileSync(path, whole);
  expect(await failed(encrypted)).toBe(0);
});

/** Twelve rows that each draw a picture of a megabyte, or another one. */
async function largePictures(
  picture: Uint8Array = Uint8Array.from([...quartersJpeg, ...new Uint8Array(1_000_000)]),
): Promise<{ readonly template: Template; readonly rows: Uint8Array }> {
  const plan = {
    ...planOf({
      overlays: [{ ...box, id: 'p', type: 'image', value: { column: 'column_0' } }],
    }),
    assets: new Map([['assets/photo.jpg', picture]]),
  };
  const prepared = await prepareFill(letterPdf, plan, { fonts: await bundledKit(), codec: nativeCodec });
  if (!prepared.ok) throw new Error(prepared.message);
  const { bytes, facts } = prepared.base;
  const base = new SharedArrayBuffer(bytes.length);
  new Uint8Array(base).set(bytes);
  const rows = Buffer.from('{"column_0":"photo.jpg"}\n'.repeat(12));
  return { template: { key: 'photos', base, facts, plan, maxCellChars: 10_000 }, rows };
}
