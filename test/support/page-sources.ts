import { PdfBuilder } from './pdf-builder.ts';

/** Entries of a page dictionary, and content drawn in default user space. */
export interface PageSpec {
  readonly entries?: string;
  readonly content?: string;
}

/** A document of plain pages; `inherited` goes onto the page tree's root. */
export function pagesPdf(
  pages: readonly PageSpec[],
  inherited = '/MediaBox[0 0 612 792]',
  catalog = '',
): Uint8Array {
  const pdf = new PdfBuilder();
  const root = pdf.reserve();
  const tree = pdf.reserve();
  const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  const kids = pages.map(({ entries = '', content = 'BT /F1 12 Tf 30 30 Td (ORIGINAL) Tj ET' }) => {
    const stream = pdf.add('<<>>', content);
    return pdf.add(`<</Type/Page/Parent ${tree} 0 R/Contents ${stream} 0 R${entries}>>`);
  });
  const resources = `/Resources<</Font<</F1 ${font} 0 R>>>>`;
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R${catalog}>>`);
  pdf.set(
    tree,
    `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]${inherited}${resources}>>`,
  );
  return pdf.build(root);
}
