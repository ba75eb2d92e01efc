/** One thread of a run: takes slices of rows, returns their tails and records. */
import { parentPort, workerData } from 'node:worker_threads';
import { createFontKit } from '../fonts/font-kit.ts';
import { createRowFiller } from '../row-filler.ts';
import { bundledFontLibrary } from './bundled-fonts.ts';
import { nativeCodec } from './native-codec.ts';
import { runSlice, type WorkerSetup, type WorkerTask } from './run-rows.ts';

const { base, facts, plan, maxCellChars } = workerData as WorkerSetup;
const bytes = new Uint8Array(base);
const sha256 = nativeCodec.sha256Start();
sha256.update(bytes);
const filler = await createRowFiller(
  { bytes, facts },
  { crc32: nativeCodec.crc32(bytes), sha256 },
  plan,
  { fonts: await createFontKit(bundledFontLibrary()), codec: nativeCodec },
  maxCellChars,
);

parentPort?.on('message', (task: WorkerTask) => {
  const slice = runSlice(filler, task);
  parentPort?.postMessage(slice, [slice.tails.buffer as ArrayBuffer, slice.lines.buffer as ArrayBuffer]);
});
