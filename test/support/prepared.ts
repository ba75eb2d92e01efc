import { createRowFiller } from '#fill/create-row-filler.ts';
import type { JobAssets } from '#fill/draw/images/job-assets.ts';
import type { FillOptions } from '#fill/fill-options.ts';
import type { FillPlan } from '#fill/fill-plan.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { type LayoutInput, layoutSchema } from '#fill/package/layout-schema.ts';
import type { PreparedBase } from '#fill/prepare/prepared-base.ts';
import { prepareFill } from '#fill/prepare-fill.ts';
import type { RowFiller } from '#fill/row-filler.ts';
import { sharedPrefix } from '#fill/zip/shared-prefix.ts';
import { bundledKit, cellsOf } from './drawn-row-pdf.ts';

/** The engine without child process, threads or archive, for tests that check one PDF. */
export interface PreparedFill {
  readonly base: PreparedBase;
  readonly filler: RowFiller;
  /** Returns the PDF of a row with these values. */
  pdf(...values: string[]): Uint8Array;
}

export function planOf(
  layout: Partial<LayoutInput>,
  options: Partial<FillOptions> = {},
  assets: FillPlan['assets'] = new Map(),
): FillPlan {
  return {
    layout: layoutSchema.parse({ format: 'rowpress.layout', version: 1, ...layout }),
    assets,
    options: { includeStickers: false, flattenForms: false, filenameColumns: [], ...options },
  };
}

export async function prepareForTest(
  source: Uint8Array,
  layout: Partial<LayoutInput>,
  options: Partial<FillOptions> = {},
  { assets, jobAssets }: { readonly assets?: FillPlan['assets']; readonly jobAssets?: JobAssets } = {},
): Promise<PreparedFill> {
  const plan = planOf(layout, options, assets);
  const ports = { fonts: await bundledKit(), codec: nativeCodec, jobAssets };
  const prepared = await prepareFill(source, plan, ports);
  if (!prepared.ok) throw new Error(`${prepared.code}: ${prepared.message}`);
  const { base } = prepared;
  const filler = await createRowFiller(base, sharedPrefix(base.bytes, nativeCodec), plan, ports);
  return {
    base,
    filler,
    pdf: (...values) => {
      const { tail, result } = filler.fill(1, cellsOf(...values));
      if (tail === null) throw new Error(`${result.error?.code}: ${result.error?.message}`);
      return Buffer.concat([base.bytes, tail]);
    },
  };
}
