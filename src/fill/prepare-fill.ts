import type { Codec } from './codec.ts';
import { type BaseResourceState, baseResources } from './draw/base-resources.ts';
import { createRowDrawer } from './draw/create-row-drawer.ts';
import { NO_PICTURES } from './draw/images/picture-value.ts';
import type { FillPlan } from './fill-plan.ts';
import type { FontKit } from './fonts/font-kit.ts';
import { FontInvalid } from './fonts/sfnt.ts';
import type { FormState } from './forms/form-state.ts';
import { boxKey, formBoxes, type ValueBoxes, valueBoxes } from './forms/value-boxes.ts';
import { appearance } from './forms/widget-objects.ts';
import { continuedPages, isDrawn, kindOf } from './kinds/kind-of.ts';
import type { Overlay } from './package/layout-schema.ts';
import { type NumberedPicture, prepareBase, type TargetPage } from './prepare/prepare-base.ts';
import type { Prepared } from './prepare/prepared-base.ts';
import { PdfRefused } from './prepare/refusal.ts';
import type { ObjectNumbers, PdfObject } from './write/tail-object.ts';

/** First half of a run: turns source and plan into a base. It needs the PDF parser; rows do not (create-row-filler.ts). */
export const DEFAULT_MAX_PAGES = 2000;

export function prepareFill(
  source: Uint8Array,
  plan: FillPlan,
  ports: { readonly fonts: FontKit; readonly codec: Codec },
  maxPages = DEFAULT_MAX_PAGES,
): Promise<Prepared> {
  const drawn = plan.layout.overlays.filter((overlay) => isDrawn(overlay, plan.options));
  return prepareBase(
    {
      source,
      targetPages: targetPages(drawn),
      flattenForms: plan.options.flattenForms,
      keepActions: plan.options.keepActions ?? false,
      maxPages,
      mappedFields: plan.layout.form_fields.map(({ field }) => field),
      embed: (numbers, forms, pictures) => embedShared(plan, ports, numbers, forms, pictures),
    },
    ports.codec,
  );
}

/** In order of first use. Stickers are decoration: a document's structure does not contain them. */
function targetPages(drawn: readonly Overlay[]): TargetPage[] {
  const pages = new Map<number, string[]>();
  for (const overlay of drawn) {
    const overlays = pages.get(overlay.page) ?? [];
    if (kindOf(overlay).traits.isSticker !== true) overlays.push(overlay.id);
    pages.set(overlay.page, overlays);
  }
  for (const page of continuedPages(drawn)) if (!pages.has(page)) pages.set(page, []);
  return [...pages].map(([page, overlays]) => ({ page, overlays }));
}

/** Embeds the fonts and images of the layout, the faces of native fields, and pictures of values that had none. */
async function embedShared(
  plan: FillPlan,
  { fonts, codec }: { readonly fonts: FontKit; readonly codec: Codec },
  numbers: ObjectNumbers,
  forms: FormState,
  pictures: readonly NumberedPicture[],
): Promise<{ objects: readonly PdfObject[]; state: BaseResourceState }> {
  const { layout: asked, assets } = plan;
  const boxes = formBoxes(forms, asked.form_fields).map(({ box }) => box);
  const mapped = valueBoxes(boxes, asked.fonts);
  const fixed = valueBoxes(pictures, asked.fonts);
  const overlays = [...asked.overlays, ...mapped.layout.overlays, ...fixed.layout.overlays];
  try {
    const layout = { ...asked, overlays };
    const { objects, state } = baseResources(layout, assets, plan.options, fonts, codec, numbers);
    const drawn =
      pictures.length === 0 ? [] : await drawPictures(fixed, pictures, assets, state, fonts, numbers);
    return { objects: [...objects, ...drawn], state };
  } catch (error) {
    if (!(error instanceof FontInvalid)) throw error;
    throw new PdfRefused('PACKAGE_INVALID', `A font cannot be used: ${error.message}.`);
  }
}

async function drawPictures(
  { layout, pages }: ValueBoxes,
  pictures: readonly NumberedPicture[],
  assets: ReadonlyMap<string, Uint8Array>,
  state: BaseResourceState,
  fonts: FontKit,
  numbers: ObjectNumbers,
): Promise<PdfObject[]> {
  const sources = { ...NO_PICTURES, assets };
  const drawer = await createRowDrawer(layout, sources, state, pages, { includeStickers: false }, fonts);
  const texts = new Map<string, string>();
  pictures.forEach(({ text, cells, lines }, box) => {
    for (const [line, label] of lines?.entries() ?? []) if (label !== '') texts.set(boxKey(box, line), label);
    if (text === '') return;
    if (cells === 0) texts.set(boxKey(box), text);
    else for (const [cell, character] of [...text].entries()) texts.set(boxKey(box, cell), character);
  });
  const drawing = drawer.draw(texts, numbers);
  const slots = new Map(drawing.slots.map((slot) => [slot.page, slot]));
  return [
    ...drawing.objects,
    ...pictures.map(({ num, look, kind, under }, box) => ({
      num,
      body: appearance({ look }, slots.get(box + 1), kind !== 'mark', under),
    })),
  ];
}
