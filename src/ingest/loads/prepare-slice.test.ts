import { afterEach, expect, test, vi } from 'vitest';
import { systemIds } from '#lib/ids.ts';
import type { LoadInput } from './load-input.ts';
import { Lookahead } from './prepare-slice.ts';

const LINE = Buffer.from('{"source_id":"EA","name":"Each"}');
const SLICE = { start: 0, end: LINE.length, firstRow: 1, rows: 1, line: 1 };
const INPUT: LoadInput = {
  partnerNo: 1,
  partnerId: 'acme',
  collection: 'master/uoms',
  mode: 'bulk',
  correlationId: 'c',
  warehouseId: null,
  format: 'ndjson',
  payload: 'digest',
  slices: [SLICE],
};

function scene() {
  let reads = 0;
  const blobs = {
    readAll: async () => {
      reads += 1;
      return LINE;
    },
  };
  const lookahead = new Lookahead({ blobs: blobs as never, ids: systemIds });
  return { lookahead, reads: () => reads };
}

afterEach(() => void vi.useRealTimers());

test('[ING21] a slice prepared ahead: is used without a second read', async () => {
  const { lookahead, reads } = scene();
  lookahead.begin('job', INPUT, SLICE);
  expect((await lookahead.take('job', INPUT, SLICE)).batch.size).toBe(1);
  expect(reads()).toBe(1);
});

test('[ING90] a load that is being accepted: its first slice is prepared if the process runs slices', async () => {
  const { lookahead, reads } = scene();
  lookahead.beginEarly('job', INPUT, SLICE);
  expect(reads()).toBe(0);
  await lookahead.take('job', INPUT, SLICE);
  expect(reads()).toBe(1);
  lookahead.beginEarly('next', INPUT, SLICE);
  expect(reads()).toBe(2);
  expect((await lookahead.take('next', INPUT, SLICE)).batch.size).toBe(1);
  expect(reads()).toBe(2);
});

test('[ING90] many loads accepted at once: at most four first slices are held', async () => {
  const { lookahead, reads } = scene();
  await lookahead.take('job', INPUT, SLICE);
  for (let n = 0; n < 10; n += 1) lookahead.beginEarly(`load ${n}`, INPUT, SLICE);
  expect(reads()).toBe(1 + 4);
});

test('[ING21] a prepared slice that another node runs: is released after a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { lookahead, reads } = scene();
  lookahead.begin('job', INPUT, SLICE);
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await lookahead.take('job', INPUT, SLICE)).batch.size).toBe(1);
  expect(reads()).toBe(2);
});
