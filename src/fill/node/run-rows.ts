import { setImmediate } from 'node:timers/promises';
import type { FillPlan } from '../fill-plan.ts';
import { createFontKit } from '../fonts/font-kit.ts';
import { createRowFiller } from '../row-filler.ts';
import type { RowCells } from '../rows/row-cells.ts';
import { bundledFontLibrary } from './bundled-fonts.ts';
import { nativeCodec } from './native-codec.ts';
import { type OpenedFill, prefixOf } from './open-fill.ts';
import type { RowThread, ThreadSetup } from './row-thread.ts';
import { SliceRunner } from './slice-runner.ts';
import type { RunSlice } from './slice-wire.ts';

/**
 * Fills rows on this thread and, if there are any, on further ones, and yields slices in row order either way. A row's
 * bytes depend on the row alone, so the number of threads cannot be seen in the output.
 *
 * This thread fills too: what it has to do besides (reading rows, writing the archive) is a seventh of the work, and a
 * thread that only hands out would be one more engine to load and to warm up.
 */
export interface RunRowsOptions {
  /** Further threads, for this run only; who started them stops them. */
  readonly threads: readonly RowThread[];
  readonly maxCellChars: number;
  readonly sliceRows?: number;
}

/** Large enough that a message costs nothing per row, small enough that memory stays flat. */
const SLICE_ROWS = 128;
/** One being filled and three waiting, so that a thread does not idle while this one is busy with a slice of its own. */
const SLICES_PER_THREAD = 4;
/** How far this thread may run ahead of one that has not loaded yet, or that the system holds back. */
const SLICES_AHEAD = 16;

export async function* runRows(
  fill: OpenedFill,
  plan: FillPlan,
  batches: AsyncIterable<readonly RowCells[]> | Iterable<readonly RowCells[]>,
  { threads, maxCellChars, sliceRows = SLICE_ROWS }: RunRowsOptions,
): AsyncGenerator<RunSlice> {
  if (threads.length > 0) {
    const setup = threadSetup(fill, plan, maxCellChars);
    for (const thread of threads) thread.open(setup);
  }
  const ports = { fonts: await createFontKit(bundledFontLibrary()), codec: nativeCodec };
  const here = new SliceRunner(await createRowFiller(fill.base, prefixOf(fill), plan, ports, maxCellChars));
  const mostAhead = (threads.length + 1) * SLICES_AHEAD;
  // In row order; those at the head leave when they are done.
  const ahead: Pending[] = [];
  for await (const { firstRow, rows } of sliced(batches, sliceRows)) {
    const thread = threads.find(({ pending }) => pending < SLICES_PER_THREAD);
    if (thread === undefined) {
      ahead.push({ slice: here.run(firstRow, rows), done: true });
      // What the others have finished arrives between two turns of the event loop.
      if (threads.length > 0) await setImmediate();
    } else {
      ahead.push(awaited(thread.run(firstRow, rows)));
    }
    while (ahead[0]?.done === true || ahead.length > mostAhead) {
      const slice = await ahead.shift()?.slice;
      if (slice !== undefined) yield slice;
    }
  }
  for (const { slice } of ahead) yield await slice;
}

interface Pending {
  readonly slice: RunSlice | Promise<RunSlice>;
  done: boolean;
}

function awaited(slice: Promise<RunSlice>): Pending {
  const state: Pending = { slice, done: false };
  const settle = () => {
    state.done = true;
  };
  // Whoever takes the slice hears of a failure.
  slice.then(settle, settle);
  return state;
}

function threadSetup({ base }: OpenedFill, plan: FillPlan, maxCellChars: number): ThreadSetup {
  const bytes = new SharedArrayBuffer(base.bytes.length);
  new Uint8Array(bytes).set(base.bytes);
  return { base: bytes, facts: base.facts, plan, maxCellChars };
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
