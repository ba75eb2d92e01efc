import { PdfBuilder } from './pdf-builder.ts';

/**
 * A tagged page: a paragraph, a link, and a form. Fields `name` (text) and `agree` (checkbox) have form elements, `loose`
 * has none, `secret` is hidden and alone in its element, `reset` is a push button for the screen.
 */
export function taggedPdf({ catalog = '' } = {}): Uint8Array {
  const pdf = new PdfBuilder();
  const [root, tree, page, structure, document] = [
    pdf.reserve(),
    pdf.reserve(),
    pdf.reserve(),
    pdf.reserve(),
    pdf.reserve(),
  ];
  const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  const fonts = `/Font<</F ${font} 0 R>>`;
  const content = pdf.add(
    '<<>>',
    `/P<</MCID 0>>BDC BT /F 12 Tf 72 700 Td (ORIGINAL) Tj ET EMC
     /Link<</MCID 1>>BDC BT /F 12 Tf 72 680 Td (LINK) Tj ET EMC /Artifact BMC 0 0 5 5 re f EMC /P<</MCID 2>>BDC`,
  );
  const elements: number[] = [];
  const nums: string[] = [];
  const element = (type: string, kids: string, entries = '') => {
    const num = pdf.add(
      `<</Type/StructElem/S/${type}/P ${document} 0 R/Pg ${page} 0 R/K[${kids}]${entries}>>`,
    );
    elements.push(num);
    return num;
  };
  const paragraph = element('P', '0 2');
  const annots: number[] = [];
  const tagged = (type: string, body: string, entries = '', before = '') => {
    const key = nums.length + 1;
    const num = pdf.add(`<</Type/Annot/P ${page} 0 R${body}/StructParent ${key}>>`);
    annots.push(num);
    nums.push(`${key} ${element(type, `${before}<</Type/OBJR/Obj ${num} 0 R>>`, entries)} 0 R`);
    return num;
  };
  tagged('Link', '/Subtype/Link/Rect[72 678 110 692]/A<</S/URI/URI(https://example.com)>>', '', '1 ');
  const linkElement = elements.at(-1);
  const picture = (text: string) =>
    pdf.add(`<</BBox[0 0 200 20]/Resources<<${fonts}>>>>`, `BT /F 12 Tf 2 5 Td (${text}) Tj ET`);
  const [on, off, button] = [picture('ON'), picture('OFF'), picture('Reset')];
  const widget = '/Subtype/Widget/DA(/F 12 Tf 0 g)';
  const name = tagged('Form', `${widget}/F 4/FT/Tx/T(name)/Rect[72 600 272 620]`, '/Alt(Your name)');
  const agree = tagged(
    'Form',
    `${widget}/F 4/FT/Btn/T(agree)/V/Off/AS/Off/Rect[72 570 92 590]/AP<</N<</Yes ${on} 0 R/Off ${off} 0 R>>>>`,
  );
  const secret = tagged('Form', `${widget}/F 2/FT/Tx/T(secret)/Rect[72 540 272 560]`);
  const reset = tagged(
    'Form',
    `${widget}/FT/Btn/Ff 65536/T(reset)/Rect[72 510 272 530]/AP<</N ${button} 0 R>>`,
  );
  const loose = pdf.add(
    `<</Type/Annot/P ${page} 0 R${widget}/F 4/FT/Tx/T(loose)/V(Loose)/Rect[72 480 272 500]/AP<</N ${picture('Loose')} 0 R>>>>`,
  );
  annots.push(loose);
  const list = (numbers: readonly number[]) => numbers.map((num) => `${num} 0 R`).join(' ');
  pdf.set(
    page,
    `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 612 792]/Contents ${content} 0 R/Resources<<${fonts}>>/StructParents 0/Tabs/S/Annots[${list(annots)}]>>`,
  );
  pdf.set(tree, `<</Type/Pages/Count 1/Kids[${page} 0 R]>>`);
  pdf.set(document, `<</Type/StructElem/S/Document/P ${structure} 0 R/K[${list(elements)}]>>`);
  const parents = `<</Nums[0[${paragraph} 0 R ${linkElement} 0 R ${paragraph} 0 R]${nums.join(' ')}]>>`;
  pdf.set(
    structure,
    `<</Type/StructTreeRoot/K ${document} 0 R/ParentTree ${parents}/ParentTreeNextKey ${nums.length + 1}>>`,
  );
  pdf.set(
    root,
    `<</Type/Catalog/Pages ${tree} 0 R/MarkInfo<</Marked true>>/StructTreeRoot ${structure} 0 R${catalog}` +
      `/AcroForm<</DA(/F 12 Tf 0 g)/DR<<${fonts}>>/Fields[${list([name, agree, secret, reset, loose])}]>>>>`,
  );
  return pdf.build(root);
}
