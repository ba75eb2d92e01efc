import type { Codec } from './codec.ts';
import { type DrawPart, RowFiller } from './fill-row.ts';
import type { FontKit } from './fonts/font-kit.ts';
import { FontInvalid } from './fonts/sfnt.ts';
import type { Layout } from './package/layout-schema.ts';
import { prepareBase } from './prepare/prepare-base.ts';
import type { Prepared, PreparedBase } from './prepare/prepared-base.ts';
import { PdfRefused } from './prepare/refusal.ts';
import { type BaseResourceState, baseResources } from './row/base-resources.ts';
import { createRowDrawer } from './row/create-row-drawer.ts';
import { DEFAULT_MAX_CELL_CHARS, mappedColumns } from './rows/check-cells.ts';
import { rowFileName } from './rows/file-name.ts';
import type { FillOptions } from './rows/fill-options.ts';
import type { ObjectNumbers } from './write/tail-object.ts';
import type { SharedPrefix } from './zip/shared-prefix.ts';

/**
 * Where the stages meet: package → prepare → row → write → zip. Everything here is a function of its arguments; the
 * same module serves the server, the command line and the browser.
 */
export interface FillPlan {
  readonly layout: Layout;
  readonly assets: ReadonlyMap<string, Uint8Array>;
  readonly options: FillOptions;
}

export const DEFAULT_MAX_PAGES = 2000;

export function prepareFill(
  source: Uint8Array,
  plan: FillPlan,
  ports: { readonly fonts: FontKit; readonly codec: Codec },
  maxPages = DEFAULT_MAX_PAGES,
): Promise<Prepared> {
  const drawn = plan.layout.overlays.filter(
    (overlay) => overlay.type !== 'sticker' || plan.options.includeStickers,
  );
  return prepareBase(
    {
      source,
      targetPages: [...new Set(drawn.map((overlay) => overlay.page))],
      flattenForms: plan.options.flattenForms,
      maxPages,
      embed: (numbers) => embedResources(plan, ports.fonts, numbers),
    },
    ports.codec,
  );
}

function embedResources(plan: FillPlan, fonts: FontKit, numbers: ObjectNumbers) {
  try {
    return baseResources(plan.layout, plan.assets, plan.options, fonts, numbers);
  } catch (error) {
    if (error instanceof FontInvalid)
      throw new PdfRefused('PACKAGE_INVALID', `A font cannot be used: ${error.message}.`);
    throw error;
  }
}

export async function createRowFiller(
  base: PreparedBase,
  prefix: Pick<SharedPrefix, 'crc32' | 'sha256'>,
  plan: FillPlan,
  ports: { readonly fonts: FontKit; readonly codec: Codec },
  maxCellChars = DEFAULT_MAX_CELL_CHARS,
): Promise<RowFiller> {
  const { layout, options } = plan;
  const labels = new Map(layout.columns.map((column) => [column.label, column.key]));
  return new RowFiller({
    base,
    prefix,
    codec: ports.codec,
    draw: [await overlayPart(base, plan, ports.fonts)],
    mappedColumns: mappedColumns(layout, options),
    maxCellChars,
    fileName: (rowNumber, cells) => rowFileName(rowNumber, cells, options.filenameColumns, labels),
  });
}

async function overlayPart(base: PreparedBase, plan: FillPlan, fonts: FontKit): Promise<DrawPart> {
  const { facts } = base;
  const slots = new Map(facts.slots.map((slot) => [slot.page, slot]));
  const drawer = await createRowDrawer(
    plan.layout,
    plan.assets,
    facts.resources as BaseResourceState,
    facts.pages,
    plan.options,
    fonts,
  );
  return (cells, numbers) => {
    const drawing = drawer.draw(cells, numbers);
    return {
      slots: drawing.slots.map(({ page, content, resources }) => {
        const slot = slots.get(page);
        if (slot === undefined) throw new Error(`bug: page ${page} has no slot`);
        return { slot, content, resources };
      }),
      objects: drawing.objects,
      applied: drawing.applied,
      skipped: drawing.skipped,
      warnings: drawing.warnings,
      error: drawing.error,
    };
  };
}
