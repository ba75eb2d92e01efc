/** One further thread of a run: loads the engine at once, receives its setup, then takes slices and returns them filled. */
import { parentPort } from 'node:worker_threads';
import { createRowFiller } from '../create-row-filler.ts';
import { createFontKit } from '../fonts/font-kit.ts';
import { openAssets } from './assets/open-assets.ts';
import { bundledFontLibrary } from './bundled-fonts.ts';
import { nativeCodec } from './native-codec.ts';
import type { ThreadSetup } from './row-thread.ts';
import { SliceRunner } from './slice-runner.ts';
import {
  isCounted,
  movedParts,
  packSlice,
  rowsOf,
  type WireAnswer,
  type WireTaken,
  type WireTask,
} from './slice-wire.ts';

const fonts = createFontKit(bundledFontLibrary());
let opened: Promise<SliceRunner> | undefined;

/** Tails that may wait to be taken; then this thread waits too. */
const MOST_WAITING_BYTES = 16_000_000;
let waitingBytes = 0;
let onTaken: (() => void) | undefined;
let working: Promise<void> = Promise.resolve();

// The first message is the setup. Tasks that come before it is done wait for it, in their order; if it fails, the thread does.
parentPort?.on('message', (message: ThreadSetup | WireTask | WireTaken) => {
  if ('base' in message) {
    opened = open(message);
  } else if ('taken' in message) {
    waitingBytes -= message.taken;
    onTaken?.();
  } else {
    working = working.then(() => fill(message));
  }
});

async function fill(task: WireTask): Promise<void> {
  if (opened === undefined) throw new Error('bug: a row thread got a task before its setup');
  const runner = await opened;
  for (const piece of runner.run(task.firstRow, rowsOf(task))) {
    const slice = packSlice(piece);
    if (isCounted(slice.tails.length)) waitingBytes += slice.tails.length;
    parentPort?.postMessage(slice satisfies WireAnswer, movedParts(slice));
    while (waitingBytes > MOST_WAITING_BYTES)
      await new Promise<void>((resolve) => {
        onTaken = resolve;
      });
  }
  parentPort?.postMessage('filled' satisfies WireAnswer);
}

async function open({ base, facts, plan, assets, maxCellChars }: ThreadSetup): Promise<SliceRunner> {
  const bytes = new Uint8Array(base);
  const sha256 = nativeCodec.sha256Start();
  sha256.update(bytes);
  const prefix = { crc32: nativeCodec.crc32(bytes), sha256 };
  const ports = { fonts: await fonts, codec: nativeCodec, jobAssets: openAssets(assets) };
  return new SliceRunner(await createRowFiller({ bytes, facts }, prefix, plan, ports, maxCellChars));
}
