import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Area } from './renderings.ts';

/** A form widget as read by pdf.js, with its position on the displayed page. */
export interface FoundWidget {
  readonly page: number;
  readonly field: string;
  readonly kind: 'Tx' | 'Btn' | 'Ch' | 'Sig';
  readonly isPushButton: boolean;
  /** For a radio button or checkbox: the state that turns it on. */
  readonly state: string | null;
  readonly isHidden: boolean;
  /** The stored value: a text, an option's export value or an appearance state; several are joined with `;`. */
  readonly value: string;
  readonly area: Area;
}

export async function widgetsOf(pdf: Uint8Array, maxPages = 3): Promise<FoundWidget[]> {
  // pdf.js takes ownership of the buffer.
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
  const document = await task.promise;
  try {
    const found: FoundWidget[] = [];
    for (let number = 1; number <= Math.min(maxPages, document.numPages); number += 1) {
      const page = await document.getPage(number);
      const viewport = page.getViewport({ scale: 1 });
      for (const annotation of await page.getAnnotations()) {
        if (annotation.subtype !== 'Widget') continue;
        const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = viewport.convertToViewportRectangle(annotation.rect);
        found.push({
          page: number,
          field: annotation.fieldName,
          kind: annotation.fieldType,
          isPushButton: annotation.pushButton === true,
          state: annotation.buttonValue ?? annotation.exportValue ?? null,
          value: [annotation.fieldValue ?? ''].flat().join(';'),
          isHidden: annotation.hidden === true || annotation.noView === true,
          area: {
            x: Math.min(x1, x2),
            y: Math.min(y1, y2),
            width: Math.abs(x2 - x1),
            height: Math.abs(y2 - y1),
          },
        });
      }
    }
    return found;
  } finally {
    await task.destroy();
  }
}
