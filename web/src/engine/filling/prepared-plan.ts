import { createRowFiller } from '#fill/create-row-filler.ts';
import type { JobAssets } from '#fill/draw/images/job-assets.ts';
import type { FillPlan } from '#fill/fill-plan.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { portableCodec } from '#fill/portable-codec.ts';
import type { PreparedBase } from '#fill/prepare/prepared-base.ts';
import { prepareFill } from '#fill/prepare-fill.ts';
import type { RowFiller } from '#fill/row-filler.ts';
import { readSheet } from '#fill/sheet/read-sheet.ts';
import { sharedPrefix } from '#fill/zip/shared-prefix.ts';
import type { EngineRefusal } from '../engine-client.ts';
import type { PlanMessage } from '../engine-messages.ts';
import type { OpenRows } from '../rows/open-rows.ts';
import { engineFonts } from './engine-fonts.ts';

/** Everything that does not depend on the row, cached while the plan stays the same, so that changing the row is fast. */
export interface PreparedPlan {
  readonly ok: true;
  readonly base: PreparedBase;
  readonly filler: RowFiller;
}

let kept: { readonly key: string; readonly prepared: Promise<PreparedPlan | EngineRefusal> } | null = null;
const sources = new Map<number, Uint8Array>();
const assets = new Map<number, ReadonlyMap<string, Uint8Array>>();
const pictures = new Map<number, ReadonlyMap<string, Blob>>();

export function planOf(message: PlanMessage): {
  source: Uint8Array;
  plan: FillPlan;
  jobAssets: JobAssets;
} {
  const source = remembered(sources, message.sourceId, message.source);
  const held = remembered(assets, message.assetsId, message.assets);
  const jobAssets = readAtOnce(remembered(pictures, message.picturesId, message.pictures));
  return { source, plan: { layout: message.layout, assets: held, options: message.options }, jobAssets };
}

/** A filler only depends on whether there is a sheet. One sheet for all keeps the prepared plan while sizes are typed. */
const ON_SHEETS = { output: 'both', sheet: readSheet({ preset: 'avery-l7160' }) } as const;

/** All rows determine how numbers are read, as in a job of all rows. */
export function preparedPlan(
  message: PlanMessage,
  rows: OpenRows | null,
): Promise<PreparedPlan | EngineRefusal> {
  const { source, plan: asked, jobAssets } = planOf(message);
  const options = { ...asked.options, ...(message.onSheets === true && ON_SHEETS) };
  const plan = { ...asked, options: { ...options, decimalSigns: rows?.info.decimalSigns } };
  const key = JSON.stringify([
    message.sourceId,
    message.assetsId,
    message.picturesId,
    plan.layout,
    plan.options,
  ]);
  if (kept?.key !== key) kept = { key, prepared: prepare(source, plan, jobAssets) };
  return kept.prepared;
}

async function prepare(
  source: Uint8Array,
  asked: FillPlan,
  jobAssets: JobAssets,
): Promise<PreparedPlan | EngineRefusal> {
  const valid = layoutSchema.safeParse(asked.layout);
  if (!valid.success) {
    const [issue] = valid.error.issues;
    return { ok: false, code: 'LAYOUT_INVALID', message: `The layout cannot be filled: ${issue?.message}` };
  }
  const plan = { ...asked, layout: valid.data };
  const ports = { fonts: await engineFonts(), codec: portableCodec };
  const prepared = await prepareFill(source, plan, ports);
  if (!prepared.ok) return prepared;
  const { base } = prepared;
  return {
    ok: true,
    base,
    filler: await createRowFiller(base, sharedPrefix(base.bytes, portableCodec), plan, {
      ...ports,
      jobAssets,
    }),
  };
}

/** Of workers only, so it is not among the types of the page. */
declare const FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer };

/** Reads a picture when a row needs it, so that pictures take no memory. Only workers can read a blob without awaiting it. */
function readAtOnce(files: ReadonlyMap<string, Blob>): JobAssets {
  return {
    has: (name) => files.has(name),
    read: (name) => {
      const blob = files.get(name);
      return blob === undefined ? undefined : new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob));
    },
  };
}

/** Caches one of each, because an editor has one open project. */
function remembered<Value>(held: Map<number, Value>, id: number, value: Value | undefined): Value {
  if (value !== undefined) {
    held.clear();
    held.set(id, value);
  }
  const found = held.get(id);
  if (found === undefined) throw new Error(`bug: the worker was never given number ${id}`);
  return found;
}
