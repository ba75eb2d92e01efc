import type { Codec } from '#fill/codec.ts';
import { createRowFiller } from '#fill/create-row-filler.ts';
import { createFontKit } from '#fill/fonts/font-kit.ts';
import type { FontLibrary } from '#fill/fonts/font-library.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { prepareFill } from '#fill/prepare-fill.ts';
import { sharedPrefix } from '#fill/zip/shared-prefix.ts';

/** Runs the whole engine in one call, to compare runtimes. Takes plain data and returns digests. */
export interface EngineRun {
  readonly source: Uint8Array;
  readonly layout: unknown;
  readonly assets: readonly (readonly [string, Uint8Array])[];
  readonly rows: readonly (readonly string[])[];
  readonly flattenForms: boolean;
}

export async function rowDigests(run: EngineRun, library: FontLibrary, codec: Codec): Promise<string[]> {
  const plan = {
    layout: layoutSchema.parse(run.layout),
    assets: new Map(run.assets),
    options: { includeStickers: true, flattenForms: run.flattenForms, filenameColumns: [] },
  };
  const ports = { fonts: await createFontKit(library), codec };
  const prepared = await prepareFill(run.source, plan, ports);
  if (!prepared.ok) throw new Error(prepared.message);
  const filler = await createRowFiller(prepared.base, sharedPrefix(prepared.base.bytes, codec), plan, ports);
  return run.rows.map((values, index) => {
    const cells = new Map(values.map((value, column) => [`column_${column}`, value] as const));
    const { result } = filler.fill(index + 1, cells);
    return result.sha256 ?? `${result.error?.code}: ${result.error?.message}`;
  });
}
