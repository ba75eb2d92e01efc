import type { Box } from '../core/geometry/box.ts';
import { findOverlay } from '../core/overlays/find-overlays.ts';
import { openPdf } from '../pdf/open-pdf.ts';
import type { Project } from '../project/project.ts';

/** Where a field is in the document: its page from 1, and its box in points of the displayed page. */
export interface FieldPlace {
  readonly page: number;
  readonly box: Box;
}

/** Returns the place of an overlay, or of the first widget of a form field; null if the document has neither. */
export async function fieldPlace({ layout, source }: Project, id: string): Promise<FieldPlace | null> {
  const overlay = findOverlay(layout, id);
  if (overlay !== undefined) {
    const { page, x, y, width, height, rotation } = overlay;
    return { page, box: { x, y, width, height, rotation } };
  }
  const field = layout.form_fields.find((mapping) => mapping.id === id)?.field;
  return field === undefined ? null : ((await widgetsOf(source.bytes)).get(field) ?? null);
}

const known = new WeakMap<Uint8Array, Promise<ReadonlyMap<string, FieldPlace>>>();

/** The source is read once: a flattened document has no widgets, and all documents have them at the same places. */
function widgetsOf(bytes: Uint8Array): Promise<ReadonlyMap<string, FieldPlace>> {
  const places = known.get(bytes) ?? readWidgets(bytes);
  known.set(bytes, places);
  return places;
}

async function readWidgets(bytes: Uint8Array): Promise<ReadonlyMap<string, FieldPlace>> {
  const places = new Map<string, FieldPlace>();
  const opened = await openPdf(bytes);
  try {
    for (let number = 1; number <= opened.numPages; number += 1) {
      const page = await opened.getPage(number);
      const viewport = page.getViewport({ scale: 1 });
      const found = (await page.getAnnotations()) as readonly { fieldName?: string; rect: number[] }[];
      for (const { fieldName, rect } of found) {
        if (fieldName === undefined || places.has(fieldName)) continue;
        const [left = 0, top = 0, right = 0, bottom = 0] = viewport.convertToViewportRectangle(rect);
        const box = {
          x: Math.min(left, right),
          y: Math.min(top, bottom),
          width: Math.abs(right - left),
          height: Math.abs(bottom - top),
          rotation: 0,
        };
        places.set(fieldName, { page: number, box });
      }
    }
  } finally {
    await opened.loadingTask.destroy();
  }
  return places;
}
