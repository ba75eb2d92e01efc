import type { Codec } from './codec.ts';
import { type DrawPart, RowFiller } from './fill-row.ts';
import type { FontKit } from './fonts/font-kit.ts';
import { FontInvalid } from './fonts/sfnt.ts';
import { formBoxes, formPart } from './forms/fill-fields.ts';
import type { FormState } from './forms/form-state.ts';
import { boxKey, type ValueBoxes, valueBoxes } from './forms/value-boxes.ts';
import { appearance } from './forms/widget-objects.ts';
import type { Layout } from './package/layout-schema.ts';
import { type NumberedPicture, prepareBase } from './prepare/prepare-base.ts';
import type { Prepared, PreparedBase } from './prepare/prepared-base.ts';
import { PdfRefused } from './prepare/refusal.ts';
import { type BaseResourceState, baseResources } from './row/base-resources.ts';
import { createRowDrawer } from './row/create-row-drawer.ts';
import { DEFAULT_MAX_CELL_CHARS, mappedColumns } from './rows/check-cells.ts';
import { rowFileName } from './rows/file-name.ts';
import type { FillOptions } from './rows/fill-options.ts';
import type { ObjectNumbers, PdfObject } from './write/tail-object.ts';
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
      mappedFields: plan.layout.form_fields.map(({ field }) => field),
      embed: (numbers, forms, pictures) => embedShared(plan, ports.fonts, numbers, forms, pictures),
    },
    ports.codec,
  );
}

/** Fonts and images of the layout, faces that native fields need, and pictures of values that had none. */
async function embedShared(
  plan: FillPlan,
  fonts: FontKit,
  numbers: ObjectNumbers,
  forms: FormState,
  pictures: readonly NumberedPicture[],
): Promise<{ objects: readonly PdfObject[]; state: BaseResourceState }> {
  const mapped = valueBoxes(formBoxes(forms).map(({ box }) => box));
  const fixed = valueBoxes(pictures.map((picture) => ({ kind: 'text', ...picture })));
  const overlays = [...plan.layout.overlays, ...mapped.layout.overlays, ...fixed.layout.overlays];
  try {
    const layout = { ...plan.layout, overlays };
    const { objects, state } = baseResources(layout, plan.assets, plan.options, fonts, numbers);
    const drawn = pictures.length === 0 ? [] : await drawPictures(fixed, pictures, state, fonts, numbers);
    return { objects: [...objects, ...drawn], state };
  } catch (error) {
    if (!(error instanceof FontInvalid)) throw error;
    throw new PdfRefused('PACKAGE_INVALID', `A font cannot be used: ${error.message}.`);
  }
}

async function drawPictures(
  { layout, pages }: ValueBoxes,
  pictures: readonly NumberedPicture[],
  state: BaseResourceState,
  fonts: FontKit,
  numbers: ObjectNumbers,
): Promise<PdfObject[]> {
  const drawer = await createRowDrawer(layout, new Map(), state, pages, { includeStickers: false }, fonts);
  const texts = new Map<string, string>();
  pictures.forEach(({ text, cells }, box) => {
    if (cells === 0) texts.set(boxKey(box), text);
    else for (const [cell, character] of [...text].entries()) texts.set(boxKey(box, cell), character);
  });
  const drawing = drawer.draw(texts, numbers);
  return [
    ...drawing.objects,
    ...pictures.map(({ num, look }, box) => ({
      num,
      body: appearance(
        { look },
        drawing.slots.find(({ page }) => page === box + 1),
        true,
      ),
    })),
  ];
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
    draw: await drawParts(base, plan, ports.fonts),
    mappedColumns: mappedColumns(layout, options),
    maxCellChars,
    fileName: (rowNumber, cells) => rowFileName(rowNumber, cells, options.filenameColumns, labels),
  });
}

async function drawParts(base: PreparedBase, plan: FillPlan, fonts: FontKit): Promise<DrawPart[]> {
  const parts = [await overlayPart(base, plan, fonts)];
  const { form_fields } = plan.layout;
  const { forms, resources } = base.facts;
  if (form_fields.length > 0)
    parts.push(await formPart(forms, form_fields, resources as BaseResourceState, fonts));
  return parts;
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
