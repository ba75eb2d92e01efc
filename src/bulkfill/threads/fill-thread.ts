/** One thread: keeps the row fillers of the last few templates and does one task at a time. */
import { parentPort } from 'node:worker_threads';
import { createRowFiller } from '#fill/create-row-filler.ts';
import { fillPieces } from '#fill/fill-rows.ts';
import { createFontKit } from '#fill/fonts/font-kit.ts';
import { openAssets } from '#fill/node/assets/open-assets.ts';
import { bundledFontLibrary } from '#fill/node/bundled-fonts.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import type { RowFiller } from '#fill/row-filler.ts';
import { ByteSink } from '#fill/write/byte-sink.ts';
import { splitRowLines } from '../rows/row-lines.ts';
import { failureOf } from './thread-failure.ts';
import type { FillTask, Template, ThreadAnswer, ThreadMessage, ThreadTask } from './thread-messages.ts';

const MAX_TEMPLATES = 4;
const fonts = createFontKit(bundledFontLibrary());
const fillers = new Map<string, RowFiller>();
const scratch = new ByteSink();

async function open({ key, base, facts, plan, assets, maxCellChars }: Template): Promise<RowFiller> {
  const known = fillers.get(key);
  if (known !== undefined) return known;
  const bytes = new Uint8Array(base);
  const sha256 = nativeCodec.sha256Start();
  sha256.update(bytes);
  const prefix = { crc32: nativeCodec.crc32(bytes), sha256 };
  const filler = await createRowFiller(
    { bytes, facts },
    prefix,
    plan,
    { fonts: await fonts, codec: nativeCodec, jobAssets: openAssets(assets) },
    maxCellChars,
  );
  const oldest = fillers.keys().next().value;
  if (fillers.size >= MAX_TEMPLATES && oldest !== undefined) fillers.delete(oldest);
  fillers.set(key, filler);
  return filler;
}

/** Pieces that may be on their way to the disk while the next one is filled. */
const MOST_UNTAKEN = 2;
let untaken = 0;
let onTaken: (() => void) | undefined;

async function fill({ key, template, firstRow, rows }: FillTask): Promise<ThreadAnswer> {
  const filler = template === undefined ? fillers.get(key) : await open(template);
  if (filler === undefined) return { kind: 'template-unknown' };
  untaken = 0;
  for (const { tails, records } of fillPieces(filler, firstRow, splitRowLines(rows), scratch)) {
    const piece: ThreadAnswer = { kind: 'filled', tails, records };
    parentPort?.postMessage(piece, [tails.buffer as ArrayBuffer]);
    untaken += 1;
    while (untaken >= MOST_UNTAKEN)
      await new Promise<void>((resolve) => {
        onTaken = resolve;
      });
  }
  return { kind: 'all-filled' };
}

async function run(task: ThreadTask): Promise<ThreadAnswer> {
  if (task.kind === 'fill') return fill(task);
  await fonts;
  return { kind: 'warm' };
}

parentPort?.on('message', async (message: ThreadMessage) => {
  if (message.kind === 'taken') {
    untaken -= 1;
    onTaken?.();
    return;
  }
  try {
    parentPort?.postMessage(await run(message));
  } catch (error) {
    parentPort?.postMessage(failureOf(error) satisfies ThreadAnswer);
  }
});
