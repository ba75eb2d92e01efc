import type { PdfDict } from '@libpdf/core';
import { isArray, isDict, type SourceDocument } from '../prepare/load-source.ts';
import type { SourcePage } from '../prepare/page-tree.ts';
import { PdfRefused } from '../prepare/refusal.ts';
import { isTrue, type SourceField } from './read-fields.ts';
import { hasXfa } from './signed.ts';

/**
 * Rejects a dynamic XFA form: its fields exist only in XML that Adobe's readers draw when they open the file, and its only
 * page says "Please wait…". Overlays on that page would produce a useless document. A form that also has AcroForm
 * fields on its pages can be filled; its XFA copy is dropped (signed.ts).
 */
export function refuseDynamicXfa(
  source: SourceDocument,
  pages: readonly SourcePage[],
  fields: readonly SourceField[],
): void {
  if (!hasXfa(source)) return;
  const filled = fields.filter(({ type }) => type !== 'signature');
  const isPlaceholder = isTrue(source.resolve(source.catalog.get('NeedsRendering')))
    ? !standOnPages(source, pages, filled)
    : filled.length === 0 && pages.length === 1;
  if (!isPlaceholder) return;
  throw new PdfRefused(
    'PDF_INVALID',
    'The PDF is a dynamic XFA form: its page is only a placeholder ("Please wait…") and its fields are drawn by Adobe ' +
      'readers alone. Save it as a static PDF or print it to PDF first.',
  );
}

function standOnPages(
  source: SourceDocument,
  pages: readonly SourcePage[],
  fields: readonly SourceField[],
): boolean {
  const widgets = new Set<PdfDict>(fields.flatMap((field) => field.widgets.map(({ dict }) => dict)));
  return pages.some((page) => {
    const annotations = source.resolve(page.dict.get('Annots'));
    if (!isArray(annotations)) return false;
    return [...annotations].some((annotation) => {
      const dict = source.resolve(annotation);
      return isDict(dict) && widgets.has(dict);
    });
  });
}
