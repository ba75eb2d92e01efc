import { createRowFiller } from '#fill/create-row-filler.ts';
import type { FillPlan } from '#fill/fill-plan.ts';
import { createFontKit } from '#fill/fonts/font-kit.ts';
import { MergedPdf } from '#fill/merge/merged-pdf.ts';
import type { AssetSource } from '#fill/node/assets/asset-source.ts';
import { openAssets } from '#fill/node/assets/open-assets.ts';
import { bundledFontLibrary } from '#fill/node/bundled-fonts.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { type OpenedFill, prefixOf } from '#fill/node/open-fill.ts';
import type { Progress } from '../progress.ts';
import { CliRefusal } from './cli-refusal.ts';
import type { Output } from './output-file.ts';
import type { RowFile } from './row-file.ts';

const FLUSH_ROWS = 200;
const FLUSH_BYTES = 4_000_000;

/** Fills all rows into one PDF with a bookmark each. Returns how many rows it contains. */
export async function fillMerged(
  fill: OpenedFill,
  plan: FillPlan,
  rows: RowFile,
  { assets, maxCellChars }: { readonly assets: AssetSource | undefined; readonly maxCellChars: number },
  output: Output,
  progress: Progress,
): Promise<number> {
  const ports = {
    fonts: await createFontKit(bundledFontLibrary()),
    codec: nativeCodec,
    jobAssets: openAssets(assets),
  };
  const filler = await createRowFiller(fill.base, prefixOf(fill), plan, ports, maxCellChars);
  const merged = new MergedPdf(fill.base, plan.options);
  await output.write([merged.base]);
  let rowNumber = 0;
  let included = 0;
  for await (const batch of rows.batches()) {
    for (const cells of batch) {
      rowNumber += 1;
      if (merged.add(filler, rowNumber, cells)) included += 1;
      if (rowNumber % FLUSH_ROWS !== 0 && merged.pendingBytes < FLUSH_BYTES) continue;
      await output.write([merged.take()]);
      progress.update(rowNumber);
    }
  }
  if (included === 0) {
    throw new CliRefusal('NO_ROWS', `All ${rowNumber} rows failed, so there is no page to merge.`);
  }
  for (const chunk of merged.finish(nativeCodec)) await output.write([chunk]);
  return included;
}
