import type { PDFDocumentProxy } from 'pdfjs-dist';
import { NO_TARGETS, type SnapTargets } from '../core/snapping/snap-lines.ts';
import { type Matrix, templateTargets } from '../core/snapping/template-lines.ts';
import { loadPdfjs } from '../pdf/open-pdf.ts';

/** Snap lines of the source PDF, read page by page after a page is shown. A gesture uses those read so far. */
const known = new WeakMap<Uint8Array, Map<number, SnapTargets>>();

export function knownTemplateTargets(source: Uint8Array, page: number): SnapTargets {
  return known.get(source)?.get(page) ?? NO_TARGETS;
}

export async function readTemplateTargets(
  source: Uint8Array,
  pdf: PDFDocumentProxy,
  number: number,
): Promise<void> {
  const pages = known.get(source) ?? new Map<number, SnapTargets>();
  known.set(source, pages);
  if (pages.has(number)) return;
  pages.set(number, NO_TARGETS);
  const { OPS } = await loadPdfjs();
  const page = await pdf.getPage(number);
  const [list, content] = await Promise.all([page.getOperatorList(), page.getTextContent()]);
  const texts = content.items.flatMap((item) => ('str' in item ? [item] : []));
  const toPage = page.getViewport({ scale: 1 }).transform as unknown as Matrix;
  pages.set(
    number,
    templateTargets({ operators: list.fnArray, operands: list.argsArray, texts, toPage }, OPS),
  );
}
