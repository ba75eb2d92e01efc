import { setImmediate } from 'node:timers/promises';
import { createRowFiller } from '#fill/create-row-filler.ts';
import type { FillPlan } from '#fill/fill-plan.ts';
import { createFontKit } from '#fill/fonts/font-kit.ts';
import type { RowCells } from '#fill/values/row-cells.ts';
import type { AssetSource } from '../assets/asset-source.ts';
import { openAssets } from '../assets/open-assets.ts';
import { bundledFontLibrary } from '../bundled-fonts.ts';
import { nativeRowCiphers } from '../encrypt/native-row-cipher.ts';
import { nativeCodec } from '../native-codec.ts';
import { type OpenedFill, prefixOf } from '../open-fill.ts';
import { nativeVerifyIds } from '../verify/native-verify-ids.ts';
import type { FillThreads } from './fill-threads.ts';
import { type ArchivePiece, packRows } from './packed-rows.ts';
import { OwnSlice, type SliceInProgress } from './slice-in-progress.ts';
import { SliceRunner } from './slice-runner.ts';
import type { Template } from './thread-messages.ts';

export interface RunRowsOptions {
  /** Further threads; the run claims all of them. */
  readonly threads?: FillThreads | undefined;
  readonly assets?: AssetSource | undefined;
  readonly maxCellChars: number;
  readonly sliceRows?: number;
}

/** Large enough that a message costs nothing per row, small enough that memory stays flat. */
const SLICE_ROWS = 128;
/** One slice is being filled and three are queued, so that a thread does not idle while this one fills its own slice. */
const SLICES_PER_THREAD = 4;
/** Slices per thread that may be ahead of the oldest unfinished one: its thread may still be loading, or be slowed down. */
const SLICES_AHEAD = 16;
/** Bytes of tails that may wait for earlier rows. Plain rows never reach it. */
const MOST_HELD_BYTES = 32_000_000;
/** Bytes of tails of one thread that may wait to be taken; then the thread waits too. */
const MAX_UNTAKEN_BYTES = 16_000_000;

/**
 * Fills rows on this thread and on those of the pool, and yields the pieces in row order. A row's bytes depend on the row
 * alone, so the number of threads does not show in the output.
 *
 * This thread fills rows too: its other work (reading rows, writing the archive) is a seventh of the total, and a thread
 * that only distributes work would be one more engine to load and to warm up.
 */
export async function* runRows(
  fill: OpenedFill,
  plan: FillPlan,
  batches: AsyncIterable<readonly RowCells[]> | Iterable<readonly RowCells[]>,
  { threads: pool, assets, maxCellChars, sliceRows = SLICE_ROWS }: RunRowsOptions,
): AsyncGenerator<ArchivePiece> {
  const threads = pool?.claimAll() ?? [];
  try {
    const template = threads.length === 0 ? undefined : templateOf(fill, plan, assets, maxCellChars);
    if (template !== undefined) for (const thread of threads) thread.open(template);
    const ports = {
      fonts: await createFontKit(bundledFontLibrary()),
      codec: nativeCodec,
      rowCiphers: nativeRowCiphers,
      verifyIds: nativeVerifyIds,
      jobAssets: openAssets(assets),
    };
    const here = new SliceRunner(await createRowFiller(fill.base, prefixOf(fill), plan, ports, maxCellChars));
    const mostAhead = (threads.length + 1) * SLICES_AHEAD;
    // In row order; the pieces at the head leave as soon as they are filled.
    const ahead: SliceInProgress<ArchivePiece>[] = [];
    for await (const { firstRow, rows } of sliced(batches, sliceRows)) {
      const thread = threads.find(({ pending }) => pending < SLICES_PER_THREAD);
      if (thread === undefined || template === undefined) {
        const own = new OwnSlice(here.run(firstRow, rows));
        ahead.push(own);
        while (!own.isFilled && heldBytes(ahead) < MOST_HELD_BYTES) own.fillMore();
        // The messages of the other threads arrive between two turns of the event loop.
        if (threads.length > 0) await setImmediate();
      } else {
        const packed = { kind: 'packed', runs: packRows(rows) } as const;
        ahead.push(
          thread.fill(template, 'packed', { firstRow, rows: packed, maxUntakenBytes: MAX_UNTAKEN_BYTES }),
        );
      }
      yield* finishedPieces(ahead, mostAhead);
    }
    yield* finishedPieces(ahead, 0);
  } finally {
    await Promise.all(threads.map((thread) => pool?.release(thread)));
  }
}

/** Yields the filled pieces in row order. Waits for the first slice while too many are queued behind it. */
async function* finishedPieces(
  ahead: SliceInProgress<ArchivePiece>[],
  mostAhead: number,
): AsyncGenerator<ArchivePiece> {
  for (let [head] = ahead; head !== undefined; [head] = ahead) {
    const piece = head.take();
    if (piece !== undefined) yield piece;
    else if (head.isFilled) ahead.shift();
    else if (head instanceof OwnSlice) head.fillMore();
    else if (ahead.length > mostAhead || heldBytes(ahead) >= MOST_HELD_BYTES) await head.fillMore();
    else return;
  }
}

function heldBytes(slices: readonly SliceInProgress<ArchivePiece>[]): number {
  let bytes = 0;
  for (const slice of slices) bytes += slice.heldBytes;
  return bytes;
}

function templateOf(
  { base }: OpenedFill,
  plan: FillPlan,
  assets: AssetSource | undefined,
  maxCellChars: number,
): Template {
  const bytes = new SharedArrayBuffer(base.bytes.length);
  new Uint8Array(bytes).set(base.bytes);
  return { key: 'run', base: bytes, facts: base.facts, plan, assets, maxCellChars };
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
