/** One further thread of a run: loads the engine at once, is told what to fill, then takes slices and returns them filled. */
import { parentPort } from 'node:worker_threads';
import { createFontKit } from '../fonts/font-kit.ts';
import { createRowFiller } from '../row-filler.ts';
import { bundledFontLibrary } from './bundled-fonts.ts';
import { nativeCodec } from './native-codec.ts';
import type { ThreadSetup } from './row-thread.ts';
import { SliceRunner } from './slice-runner.ts';
import { movedParts, packSlice, rowsOf, type WireTask } from './slice-wire.ts';

const fonts = createFontKit(bundledFontLibrary());
let opened: Promise<SliceRunner> | undefined;

// The first message is the setup. Tasks that come before it is done wait for it, in their order; if it fails, the thread does.
parentPort?.on('message', async (message: ThreadSetup | WireTask) => {
  if ('base' in message) {
    opened = open(message);
    return;
  }
  if (opened === undefined) throw new Error('bug: a row thread got a task before its setup');
  const runner = await opened;
  const slice = packSlice(runner.run(message.firstRow, rowsOf(message)));
  parentPort?.postMessage(slice, movedParts(slice));
});

async function open({ base, facts, plan, maxCellChars }: ThreadSetup): Promise<SliceRunner> {
  const bytes = new Uint8Array(base);
  const sha256 = nativeCodec.sha256Start();
  sha256.update(bytes);
  const prefix = { crc32: nativeCodec.crc32(bytes), sha256 };
  const ports = { fonts: await fonts, codec: nativeCodec };
  return new SliceRunner(await createRowFiller({ bytes, facts }, prefix, plan, ports, maxCellChars));
}
