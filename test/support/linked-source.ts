import { PdfBuilder } from './pdf-builder.ts';

/** Target of a link in `linkedPdf`: a page (from 0), an address, or nothing that a reader resolves. */
export type LinkTarget = number | string | null;

export interface LinkedSource {
  readonly bytes: Uint8Array;
  /** Targets by page, in the order of its annotations; annotations that are not links are omitted. */
  readonly links: readonly (readonly LinkTarget[])[];
}

/**
 * Three pages that link to each other in every way that a file allows (ISO 32000-2 §12.3.2, §12.6.4.2), with external
 * links between them. With a cycle, a node of the name tree is its own kid.
 */
export function linkedPdf(names: 'in a tree' | 'in a circle' = 'in a tree'): LinkedSource {
  const pdf = new PdfBuilder();
  const [root, tree] = [pdf.reserve(), pdf.reserve()];
  const pages = [pdf.reserve(), pdf.reserve(), pdf.reserve()] as const;
  const [first, second, third] = pages;
  const link = (entries: string) =>
    `<</Type/Annot/Subtype/Link/Rect[72 600 200 620]/Border[0 0 0]${entries}>>`;
  const indirect = (entries: string) => `${pdf.add(link(entries))} 0 R`;
  const action = pdf.add(`<</Type/Action/S/GoTo/D[${third} 0 R/XYZ 0 700 null]>>`);
  const note = pdf.add(`<</Type/Annot/Subtype/Text/Rect[300 600 320 620]/Contents(a note)/P ${first} 0 R>>`);
  const annotations = [
    [
      indirect(`/P ${first} 0 R/StructParent 4/Dest[${second} 0 R/Fit]`),
      `${note} 0 R`,
      indirect(`/P ${first} 0 R/A ${action} 0 R`),
      indirect('/A<</S/URI/URI(https://example.com/)>>'),
      indirect('/Dest/Second#20page'),
      indirect('/A<</S/GoTo/D(deep)>>'),
      link(`/A<</S/GoTo/SD[${first} 0 R/Fit]/D[${first} 0 R/FitR 0 0 100 100]>>`),
    ],
    [indirect('/Dest(shallow)'), indirect('/Dest[2/FitH 500]'), indirect('/Dest(nowhere)')],
    [indirect('/A<</S/URI/URI(https://example.com/)>>')],
  ];
  const kid = pdf.add(
    `<</Limits[(deep)(deep)]/Names[(deep)${pdf.add(`<</D[${second} 0 R/FitV 3]>>`)} 0 R]>>`,
  );
  const middle = pdf.reserve();
  const again = names === 'in a circle' ? `${middle} 0 R` : '';
  pdf.set(middle, `<</Limits[(deep)(deep)]/Kids[${kid} 0 R ${again}]>>`);
  const leaf = pdf.add(`<</Limits[(shallow)(shallow)]/Names[(shallow)[${first} 0 R/Fit]]>>`);
  const nameTree = `/Names<</Dests<</Kids[${middle} 0 R ${leaf} 0 R]>>>>`;
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R${nameTree}/Dests<</Second#20page[${second} 0 R/FitB]>>>>`);
  pdf.set(
    tree,
    `<</Type/Pages/Count 3/MediaBox[0 0 612 792]/Kids[${pages.map((page) => `${page} 0 R`).join(' ')}]>>`,
  );
  for (const [index, page] of pages.entries()) {
    const list = `[${annotations[index]?.join(' ')}]`;
    const value = index === 1 ? `${pdf.add(list)} 0 R` : list;
    pdf.set(page, `<</Type/Page/Parent ${tree} 0 R/Annots ${value}>>`);
  }
  const elsewhere = 'https://example.com/';
  return { bytes: pdf.build(root), links: [[1, 2, elsewhere, 1, 1, 0], [0, 2, null], [elsewhere]] };
}

/** Link targets after this many copies of the pages are concatenated. */
export function linksOfRows({ links }: LinkedSource, rows: number): LinkTarget[][] {
  return Array.from({ length: rows }, (_, row) =>
    links.map((page) =>
      page.map((target) => (typeof target === 'number' ? row * links.length + target : target)),
    ),
  ).flat();
}
