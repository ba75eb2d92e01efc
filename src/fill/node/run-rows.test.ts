import { createHash } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { pagesPdf } from '../../../test/support/page-sources.ts';
import { planOf } from '../../../test/support/prepared.ts';
import type { RowCells } from '../values/row-cells.ts';
import { type OpenedFill, openFill } from './open-fill.ts';
import { RowThread } from './row-thread.ts';
import { runRows } from './run-rows.ts';
import type { ThreadSlice } from './slice-in-progress.ts';

const plan = planOf({
  overlays: [
    { id: 'a', type: 'text', page: 1, x: 72, y: 72, width: 300, height: 20, value: { column: 'column_0' } },
    { id: 'q', type: 'qr', page: 1, x: 400, y: 72, width: 90, height: 90, value: { column: 'column_1' } },
  ],
});

/** Rows of every shape: full, with a blank, empty, with a structured cell that fails its row. */
const rows: RowCells[] = Array.from({ length: 600 }, (_, row) => {
  if (row % 50 === 7) return new Map([['column_0', { json: '{"a":1}' }]]);
  if (row % 10 === 3) return new Map([['column_1', `https://example.test/${row}`]]);
  return row % 100 === 99 ? new Map() : cellsOf(`Pérson ${row}`, `https://example.test/${row}`);
});

const running: RowThread[] = [];
function started<T extends RowThread>(...threads: T[]): T[] {
  running.push(...threads);
  return threads;
}

class CountedThread extends RowThread {
  slices = 0;
  override run(firstRow: number, cells: readonly RowCells[]): ThreadSlice {
    this.slices += 1;
    return super.run(firstRow, cells);
  }
}

describe('rows on several threads', () => {
  let fill: OpenedFill;
  beforeAll(async () => {
    const opened = await openFill(pagesPdf([{}]), plan);
    if (!opened.ok) throw new Error(opened.message);
    fill = opened.fill;
  });

  async function digest(threads: readonly RowThread[], sliceRows: number): Promise<string> {
    const hash = createHash('sha256');
    const options = { threads, maxCellChars: 10_000, sliceRows };
    for await (const slice of runRows(fill, plan, [rows], options)) {
      const { tails, lines, firstRow, zipRows, failedRows, summary } = slice;
      hash.update(tails).update(lines).update(JSON.stringify({ firstRow, zipRows, failedRows, summary }));
    }
    return hash.digest('hex');
  }

  afterEach(async () => {
    await Promise.all(running.splice(0).map((thread) => thread.stop()));
  });

  it('[FILL1] one thread and four give the same bytes, in slices of any size', async () => {
    for (const sliceRows of [7, 128, 600]) {
      const threads = started(new CountedThread(), new CountedThread(), new CountedThread());
      expect(await digest(threads, sliceRows)).toBe(await digest([], sliceRows));
      if (sliceRows === 7) for (const { slices } of threads) expect(slices).toBeGreaterThan(0);
    }
  });

  it('[FILL1] a thread that ends early fails the run: no row is left out', async () => {
    const threads = started(new RowThread(), new RowThread());
    await threads[1]?.stop();
    await expect(digest(threads, 7)).rejects.toThrow('ended early');
  });
});
