import { PdfBuilder } from './pdf-builder.ts';

const ORIGINAL = 'BT /F1 12 Tf 120 150 Td (ORIGINAL) Tj ET';

/** Entries of a page dictionary, and content drawn in default user space. */
export interface PageSpec {
  readonly entries?: string;
  readonly content?: string;
}

/** A document of plain pages; `inherited` is added to the root of the page tree. */
export function pagesPdf(
  pages: readonly PageSpec[],
  inherited = '/MediaBox[0 0 612 792]',
  catalog = '',
): Uint8Array {
  const pdf = new PdfBuilder();
  const root = pdf.reserve();
  const tree = pdf.reserve();
  const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  const kids = pages.map(({ entries = '', content = ORIGINAL }) => {
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

/** Boxes, rotation and resources on different nodes of a three-level page tree; the page itself has none. */
export function nestedPagesPdf(): Uint8Array {
  const pdf = new PdfBuilder();
  const [root, top, middle, low] = [pdf.reserve(), pdf.reserve(), pdf.reserve(), pdf.reserve()];
  const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  const page = pdf.add(`<</Type/Page/Parent ${low} 0 R/Contents ${pdf.add('<<>>', ORIGINAL)} 0 R>>`);
  pdf.set(root, `<</Type/Catalog/Pages ${top} 0 R>>`);
  pdf.set(top, `<</Type/Pages/Count 1/Kids[${middle} 0 R]/MediaBox[0 0 300 300]/Rotate 90>>`);
  pdf.set(
    middle,
    `<</Type/Pages/Parent ${top} 0 R/Count 1/Kids[${low} 0 R]/MediaBox[0 0 600 700]/Resources<</Font<</F1 ${font} 0 R>>>>>>`,
  );
  // The nearest node takes precedence: 270 here over 90 above.
  pdf.set(
    low,
    `<</Type/Pages/Parent ${middle} 0 R/Count 1/Kids[${page} 0 R]/CropBox[30 40 580 660]/Rotate 270>>`,
  );
  return pdf.build(root);
}

/**
 * A hybrid-reference file (ISO 32000-2 §7.5.8.4): the classic table marks object 5 as free, and /XRefStm points to a
 * cross-reference stream that locates it in an object stream. It holds the page's resources, so text shows only in a reader
 * that follows it. Either one section has both, or, as Word writes it, an empty newer section has the /XRefStm.
 */
export function hybridPdf(sections: 'one section' | 'two sections'): Uint8Array {
  let file = '%PDF-1.5\n';
  const offsets = new Map<number, number>();
  const put = (num: number, body: string) => {
    offsets.set(num, file.length);
    file += `${num} 0 obj\n${body}\nendobj\n`;
  };
  const stream = (dict: string, data: string) =>
    `<<${dict}/Length ${data.length}>>\nstream\n${data}\nendstream`;
  put(1, '<</Type/Catalog/Pages 2 0 R>>');
  put(2, '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 612 792]>>');
  put(3, '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources 5 0 R>>');
  put(4, stream('', ORIGINAL));
  const index = '5 0 ';
  const hidden = '<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>';
  put(6, stream(`/Type/ObjStm/N 1/First ${index.length}`, index + hidden));
  const found = '\x02\x00\x06\x00';
  put(7, stream('/Type/XRef/Size 8/W[1 2 1]/Index[5 1]', found));
  const xref = file.length;
  file += 'xref\n0 8\n';
  for (let num = 0; num < 8; num += 1) {
    const offset = offsets.get(num);
    file += offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  }
  const stm = `/XRefStm ${offsets.get(7)}`;
  const trailer = (more: string, start: number) =>
    `trailer\n<</Size 8/Root 1 0 R${more}>>\nstartxref\n${start}\n%%EOF\n`;
  if (sections === 'one section') {
    file += trailer(stm, xref);
  } else {
    file += trailer('', xref);
    file += `xref\n0 0\n${trailer(`/Prev ${xref}${stm}`, file.length)}`;
  }
  return Buffer.from(file, 'latin1');
}
