import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { prepareFill } from '#fill/prepare-fill.ts';
import { letterPdf } from '../../../test/support/bulkfill-server.ts';
import { bundledKit } from '../../../test/support/drawn-row-pdf.ts';
import { box } from '../../../test/support/fill-cli.ts';
import { planOf } from '../../../test/support/prepared.ts';
import { quartersJpeg } from '../../../test/support/small-jpeg.ts';
import { type FilledRows, FillThreads } from './fill-threads.ts';
import type { Template } from './thread-messages.ts';

test('a thread that died while nobody used it is replaced', async () => {
  const { template, rows } = await largePictures();
  const threads = new FillThreads(1);
  const workers: Worker[] = [];
  const hear = (worker: Worker) => void workers.push(worker);
  process.on('worker', hear);
  onTestFinished(async () => {
    process.off('worker', hear);
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

test('[FILL144] a slice with large pictures: arrives in pieces, and a caller that leaves frees the thread', async () => {
  const { template, rows } = await largePictures();
  const threads = new FillThreads(1);
  onTestFinished(() => threads.close());
  const filled = () => threads.fill(template, 1, rows, AbortSignal.timeout(60_000));
  const pieces: FilledRows[] = [];
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

/** Twelve rows of one megabyte each. */
async function largePictures(): Promise<{ readonly template: Template; readonly rows: Uint8Array }> {
  const picture = Uint8Array.from([...quartersJpeg, ...new Uint8Array(1_000_000)]);
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
