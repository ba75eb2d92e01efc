import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { Matrix } from '../core/geometry/matrix.ts';
import { type PageMarks, readMarks } from '../core/page-content/read-marks.ts';
import { NO_TARGETS, type SnapTargets } from '../core/snapping/snap-lines.ts';
import { templateTargets } from '../core/snapping/template-lines.ts';
import { loadPdfjs } from '../pdf/open-pdf.ts';

/** What gestures use of a page of the source PDF: the lines to snap to, and everything that is printed. */
interface TemplatePage {
  readonly targets: SnapTargets;
  readonly printed: PageMarks;
}

/** Read page by page after a page is shown; null while a page is being read. A gesture uses those read so far. */
const known = new WeakMap<Uint8Array, Map<number, TemplatePage | null>>();

export function knownTemplateTargets(source: Uint8Array, page: number): SnapTargets {
  return known.get(source)?.get(page)?.targets ?? NO_TARGETS;
}

export function knownPrintedPage(source: Uint8Array, page: number): PageMarks | null {
  return known.get(source)?.get(page)?.printed ?? null;
}

export async function readTemplateTargets(
  source: Uint8Array,
  pdf: PDFDocumentProxy,
  number: number,
): Promise<void> {
  const pages = known.get(source) ?? new Map<number, TemplatePage | null>();
  known.set(source, pages);
  if (pages.has(number)) return;
  pages.set(number, null);
  const { OPS } = await loadPdfjs();
  const page = await pdf.getPage(number);
  const [list, content] = await Promise.all([page.getOperatorList(), page.getTextContent()]);
  const texts = content.items.flatMap((item) => ('str' in item ? [item] : []));
  const { transform, width, height } = page.getViewport({ scale: 1 });
  const operators = {
    operators: list.fnArray,
    operands: list.argsArray,
    toPage: transform as unknown as Matrix,
  };
  pages.set(number, {
    targets: templateTargets({ ...operators, texts }, OPS),
    printed: readMarks({ ...operators, width, height }, OPS),
  });
}
