import { readFileSync } from 'node:fs';
import { getDocument, OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Rect } from '../../web/src/core/geometry/rect.ts';
import { marksOfPage } from '../../web/src/core/page-content/marks-of-page.ts';
import type { PageMarks } from '../../web/src/core/page-content/read-marks.ts';

/** A visible widget of an AcroForm in displayed page coordinates. */
export interface TrueField extends Rect {
  readonly kind: 'text' | 'check';
  readonly name: string;
}

export interface FormPage {
  readonly number: number;
  readonly marks: PageMarks;
  readonly fields: readonly TrueField[];
}

/** Flags of an annotation (ISO 32000-2 §12.5.3): invisible, hidden, no view. */
const NOT_SHOWN = 0b100011;

/** Reads the pages of a form as if its annotations were absent, and its fillable widgets for comparison. */
export async function readForm(file: string): Promise<FormPage[]> {
  const task = getDocument({ data: new Uint8Array(readFileSync(file)), verbosity: 0, useSystemFonts: false });
  const pdf = await task.promise;
  const pages: FormPage[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    pages.push({ number, marks: await marksOfPage(page, OPS), fields: await fieldsOf(page) });
  }
  await task.destroy();
  return pages;
}

async function fieldsOf(page: PDFPageProxy): Promise<TrueField[]> {
  const viewport = page.getViewport({ scale: 1 });
  const annotations = await page.getAnnotations();
  return annotations.flatMap((annotation): TrueField[] => {
    const { subtype, fieldType, annotationFlags = 0, readOnly, pushButton, rect, fieldName } = annotation;
    const isFillable = ['Tx', 'Ch', 'Btn'].includes(fieldType) && !pushButton && !readOnly;
    if (subtype !== 'Widget' || !isFillable || (annotationFlags & NOT_SHOWN) !== 0) return [];
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = viewport.convertToViewportRectangle(rect) as number[];
    const field = {
      x: Math.min(x1, x2),
      y: Math.min(y1, y2),
      width: Math.abs(x2 - x1),
      height: Math.abs(y2 - y1),
    };
    if (field.width < 1 || field.height < 1) return [];
    return [{ ...field, kind: fieldType === 'Btn' ? 'check' : 'text', name: String(fieldName ?? '') }];
  });
}
