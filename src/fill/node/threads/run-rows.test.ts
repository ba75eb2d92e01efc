import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RowCells } from '#fill/values/row-cells.ts';
import { cellsOf } from '../../../../test/support/drawn-row-pdf.ts';
import { pagesPdf } from '../../../../test/support/page-sources.ts';
import { planOf } from '../../../../test/support/prepared.ts';
import { type OpenedFill, openFill } from '../open-fill.ts';
import { FillThreads } from './fill-threads.ts';
import { runRows } from './run-rows.ts';
import { FillThread } from './thread-handle.ts';

const plan = planOf({
  overlays: [
    { id: 'a', type: 'text', page: 1, x: 72, y: 72, width: 300, height: 20, value: { column: 'column_0' } },
    { id: 'q', type: 'qr', page: 1, x: 400, y: 72, width: 90, height: 90, value: { column: 'column_1' } },
  ],
});

/** Rows of every kind: full, with a blank, empty, and with a structured cell that fails its row. */
const rows: RowCells[] = Array.from({ length: 600 }, (_, row) => {
  if (row % 50 === 7) return new Map([['column_0', { json: '{"a":1}' }]]);
  if (row % 10 === 3) return new Map([['column_1', `https://example.test/${row}`]]);
  return row % 100 === 99 ? new Map() : cellsOf(`Pérson ${row}`, `https://example.test/${row}`);
});

describe('rows on several threads', () => {
  let fill: OpenedFill;
  beforeAll(async () => {
    const opened = await openFill(pagesPdf([{}]), plan);
    if (!opened.ok) throw new Error(opened.message);
    fill = opened.fill;
  });

  /** A pool with this many threads, and the workers that it starts. */
  async function startedPool(size: number) {
    const workers: Worker[] = [];
    const note = (worker: Worker) => void workers.push(worker);
    process.on('worker', note);
    const pool = new FillThreads(0, { maxOldGenerationSizeMb: 512 });
    pool.start(size);
    onTestFinished(async () => {
      process.off('worker', note);
      await pool.close();
    });
    // The process reports new workers in the next turn of the event loop.
    await setImmediate();
    return { pool, workers };
  }

  async function digest(
    threads: FillThreads | undefined,
    sliceRows: number,
    onPiece = () => {},
  ): Promise<string> {
    const hash = createHash('sha256');
    const options = { threads, maxCellChars: 10_000, sliceRows };
    for await (const piece of runRows(fill, plan, [rows], options)) {
      const { tails, lines, firstRow, zipRows, failedRows, summary } = piece;
      hash.update(tails).update(lines).update(JSON.stringify({ firstRow, zipRows, failedRows, summary }));
      onPiece();
    }
    return hash.digest('hex');
  }

  it('[FILL1] one thread and four threads, slices of any size: the same bytes', async () => {
    const fillOnThread = vi.spyOn(FillThread.prototype, 'fill');
    const { pool } = await startedPool(3);
    for (const sliceRows of [7, 128, 600]) {
      expect(await digest(pool, sliceRows)).toBe(await digest(undefined, sliceRows));
      if (sliceRows === 7) expect(new Set(fillOnThread.mock.contexts).size).toBe(3);
    }
  });

  it('[FILL1] a thread that ends during a run: the run fails instead of omitting rows', async () => {
    const { pool, workers } = await startedPool(2);
    await expect(digest(pool, 7, () => void workers[1]?.terminate())).rejects.toThrow('ended early');
  });

  it('[FILL1] a thread that ended before the run: replaced', async () => {
    const { pool, workers } = await startedPool(2);
    await workers[1]?.terminate();
    expect(await digest(pool, 7)).toBe(await digest(undefined, 7));
    expect(workers).toHaveLength(3);
  });
});
