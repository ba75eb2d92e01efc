import type { Matrix } from '../geometry/matrix.ts';
import { type MarkOperators, type PageMarks, readMarks } from './read-marks.ts';

/** The part of a pdf.js page that is read. */
export interface PdfjsPage {
  getOperatorList(options: { annotationMode: number }): Promise<{
    readonly fnArray: readonly number[];
    readonly argsArray: readonly unknown[];
  }>;
  getViewport(options: { scale: number }): {
    readonly transform: readonly number[];
    readonly width: number;
    readonly height: number;
  };
}

/** AnnotationMode.DISABLE of pdf.js: only what is printed on the page itself. */
const NO_ANNOTATIONS = 0;

export async function marksOfPage(page: PdfjsPage, numbers: MarkOperators): Promise<PageMarks> {
  const list = await page.getOperatorList({ annotationMode: NO_ANNOTATIONS });
  const { transform, width, height } = page.getViewport({ scale: 1 });
  const toPage = transform as unknown as Matrix;
  return readMarks({ operators: list.fnArray, operands: list.argsArray, toPage, width, height }, numbers);
}
