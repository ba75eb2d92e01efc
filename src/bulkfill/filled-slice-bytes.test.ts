import { expect, test } from 'vitest';
import type { RowRecord } from '#fill/row-filler.ts';
import { FilledSliceBytes } from './filled-slice-bytes.ts';

test('[BLB33] a slice over the storage limit of its job: draws no further row', async () => {
  let drawn = 0;
  let ended = false;
  async function* rows() {
    try {
      for (;;) {
        drawn += 1;
        yield { tails: new Uint8Array(40), records: [{ row: drawn } as unknown as RowRecord] };
      }
    } finally {
      ended = true;
    }
  }
  const slice = new FilledSliceBytes(rows(), { keepTails: true, maxBytes: 100 });
  let length = 0;
  for await (const piece of slice.bytes()) length += piece.length;
  expect([drawn, ended, slice.tailsLength]).toEqual([3, true, 120]);
  // Over the limit, so that the job fails.
  expect(length).toBeGreaterThan(120);
});
