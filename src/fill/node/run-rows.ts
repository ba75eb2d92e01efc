import { setImmediate } from 'node:timers/promises';
import { createRowFiller } from '../create-row-filler.ts';
import type { FillPlan } from '../fill-plan.ts';
import { createFontKit } from '../fonts/font-kit.ts';
import type { RowCells } from '../values/row-cells.ts';
import type { AssetSource } from './assets/asset-source.ts';
import { openAssets } from './assets/open-assets.ts';
import { bundledFontLibrary } from './bundled-fonts.ts';
import { nativeCodec } from './native-codec.ts';
import { type OpenedFill, prefixOf } from './open-fill.ts';
import type { RowThread, ThreadSetup } from './row-thread.ts';
import { OwnSlice, type SliceInProgress } from './slice-in-progress.ts';
import { SliceRunner } from './slice-runner.ts';
import type { RunSlice } from './slice-wire.ts';

/**
 * Fills rows on this thread and, if there are any, on further ones, and yields slices, or pieces of them, in row order either way. A row's
 * bytes depend on the row alone, so the number of threads cannot be seen in the output.
 *
 * This thread fills too: what it has to do besides (reading rows, writing the archive) is a seventh of the work, and a
 * thread that only hands out would be one more engine to load and to warm up.
 */
export interface RunRowsOptions {
  /** Further threads, for this run only; who started them stops them. */
  readonly threads: readonly RowThread[];
  readonly assets?: AssetSource | undefined;
  readonly maxCellChars: number;
  readonly sliceRows?: number;
}

/** Large enough that a message costs nothing per row, small enough that memory stays flat. */
const SLICE_ROWS = 128;
/** One being filled and three waiting, so that a thread does not idle while this one is busy with a slice of its own. */
const SLICES_PER_THREAD = 4;
/** How far this thread may run ahead of one that has not loaded yet, or that the system holds back. */
const SLICES_AHEAD = 16;
/** Tails that may wait for earlier rows; plain rows never reach it. */
const MOST_HELD_BYTES = 32_000_000;

export async function* runRows(
  fill: OpenedFill,
  plan: FillPlan,
  batches: AsyncIterable<readonly RowCells[]> | Iterable<readonly RowCells[]>,
  { threads, assets, maxCellChars, sliceRows = SLICE_ROWS }: RunRowsOptions,
): AsyncGenerator<RunSlice> {
  if (threads.length > 0) {
    const setup = threadSetup(fill, plan, assets, maxCellChars);
    for (const thread of threads) thread.open(setup);
  }
  const ports = {
    fonts: await createFontKit(bundledFontLibrary()),
    codec: nativeCodec,
    jobAssets: openAssets(assets),
  };
  const here = new SliceRunner(await createRowFiller(fill.base, prefixOf(fill), plan, ports, maxCellChars));
  const mostAhead = (threads.length + 1) * SLICES_AHEAD;
  // In row order; the pieces at the head leave as soon as they are filled.
  const ahead: SliceInProgress[] = [];
  for await (const { firstRow, rows } of sliced(batches, sliceRows)) {
    const thread = threads.find(({ pending }) => pending < SLICES_PER_THREAD);
    if (thread === undefined) {
      const own = new OwnSlice(here.run(firstRow, rows));
      ahead.push(own);
      while (!own.isFilled && heldBytes(ahead) < MOST_HELD_BYTES) own.fillMore();
      // What the others have finished arrives between two turns of the event loop.
      if (threads.length > 0) await setImmediate();
    } else {
      ahead.push(thread.run(firstRow, rows));
    }
    yield* finishedPieces(ahead, mostAhead);
  }
  yield* finishedPieces(ahead, 0);
}

/** Pieces in row order, as far as they are filled; waits for the first slice while there are too many behind it. */
async function* finishedPieces(ahead: SliceInProgress[], mostAhead: number): AsyncGenerator<RunSlice> {
  for (let [head] = ahead; head !== undefined; [head] = ahead) {
    const piece = head.take();
    if (piece !== undefined) yield piece;
    else if (head.isFilled) ahead.shift();
    else if (head instanceof OwnSlice) head.fillMore();
    else if (ahead.length > mostAhead || heldBytes(ahead) >= MOST_HELD_BYTES) await head.fillMore();
    else return;
  }
}

function heldBytes(slices: readonly SliceInProgress[]): number {
  let bytes = 0;
  for (const slice of slices) bytes += slice.heldBytes;
  return bytes;
}

function threadSetup(
  { base }: OpenedFill,
  plan: FillPlan,
  assets: AssetSource | undefined,
  maxCellChars: number,
): ThreadSetup {
  const bytes = new SharedArrayBuffer(base.bytes.length);
  new Uint8Array(bytes).set(base.bytes);
  return { base: bytes, facts: base.facts, plan, assets, maxCellChars };
}

async function* sliced(
  batches: AsyncIterable<readonly RowCells[]> | Iterable<readonly RowCells[]>,
  size: number,
): AsyncGenerator<{ readonly firstRow: number; readonly rows: readonly RowCells[] }> {
  let firstRow = 1;
  let rows: RowCells[] = [];
  for await (const batch of batches) {
    for (const row of batch) {
      rows.push(row);
      if (rows.length < size) continue;
      yield { firstRow, rows };
      firstRow += rows.length;
      rows = [];
    }
  }
  if (rows.length > 0) yield { firstRow, rows };
}
