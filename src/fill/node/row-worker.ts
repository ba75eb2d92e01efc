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

parentPort?.once('message', async ({ base, facts, plan, maxCellChars }: ThreadSetup) => {
  const bytes = new Uint8Array(base);
  const sha256 = nativeCodec.sha256Start();
  sha256.update(bytes);
  const runner = new SliceRunner(
    await createRowFiller(
      { bytes, facts },
      { crc32: nativeCodec.crc32(bytes), sha256 },
      plan,
      { fonts: await fonts, codec: nativeCodec },
      maxCellChars,
    ),
  );
  parentPort?.on('message', (task: WireTask) => {
    const slice = packSlice(runner.run(task.firstRow, rowsOf(task)));
    parentPort?.postMessage(slice, movedParts(slice));
  });
});
