import { PdfBuilder } from './pdf-builder.ts';

/** The fields that a row can fill, in the order of their boxes. The field `kept` is not filled. */
export const FORM_FIELD_NAMES = [
  'employee.name',
  'note',
  'pin',
  'amount',
  'city',
  'agree',
  'bare',
  'colour',
  'size',
  'turned',
] as const;

/**
 * A page with one native field of every kind that the product fills, and some that it does not:
 *   employee.name (text, 12 pt) · note (multiline, automatic size) · pin (comb of 6) · amount (right, bold Courier)
 *   city (centred, automatic size) · agree (checkbox, export value Accepted) · bare (checkbox without appearances)
 *   colour (radio: red green blue) · size (dropdown S/M/L) · turned (text, rotated 90) · kept (unmapped, has a value
 *   but no appearance) · sign (signature, signed)
 */
export function formPdf(): Uint8Array {
  const pdf = new PdfBuilder();
  const root = pdf.reserve();
  const tree = pdf.reserve();
  const page = pdf.reserve();
  const helvetica = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');
  const courier = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Courier-Bold/Encoding/WinAnsiEncoding>>');
  const labels = ['name', ...FORM_FIELD_NAMES.slice(1), 'kept'];
  const content = pdf.add(
    '<<>>',
    labels.map((label, index) => `BT /Helv 10 Tf 40 ${745 - index * 50} Td (${label}) Tj ET`).join('\n'),
  );
  const box = (index: number, width = 200, height = 20) => {
    const bottom = 740 - index * 50;
    return `/Rect[120 ${bottom} ${120 + width} ${bottom + height}]`;
  };
  const widget = `/Type/Annot/Subtype/Widget/F 4/P ${page} 0 R`;
  const annots: number[] = [];
  const fields: number[] = [];
  const field = (body: string) => {
    const num = pdf.add(`<<${widget}${body}>>`);
    annots.push(num);
    fields.push(num);
    return num;
  };

  const employee = pdf.reserve();
  const name = pdf.add(
    `<<${widget}/Parent ${employee} 0 R/FT/Tx/T(name)${box(0)}/DA(/Helv 12 Tf 0 0 1 rg)/MK<</BC[0 0 0]/BG[.9 .9 1]>>>>`,
  );
  pdf.set(employee, `<</T(employee)/Kids[${name} 0 R]>>`);
  annots.push(name);
  fields.push(employee);
  field(`/FT/Tx/T(note)/Ff 4096${box(1, 200, 40)}/DA(/Helv 0 Tf 0 g)/MK<</BC[0 0 0]>>`);
  field(`/FT/Tx/T(pin)/Ff 16777216/MaxLen 6${box(2, 180)}/DA(/Helv 12 Tf 0 g)/MK<</BC[0 0 0]>>`);
  field(`/FT/Tx/T(amount)/Q 2${box(3)}/DA(/CoBo 12 Tf 0 g)/MK<</BC[0 0 0]>>`);
  field(`/FT/Tx/T(city)/Q 1${box(4)}/DA(/Helv 0 Tf 0 g)/MK<</BC[0 0 0]>>`);

  const picture = (marks: string) =>
    pdf.add('<</BBox[0 0 20 20]/Resources<<>>>>', `q 0 G 1 w .5 .5 19 19 re S ${marks} Q`);
  const ticked = picture('3 w 4 10 m 9 4 l 17 17 l S');
  const unticked = picture('');
  field(`/FT/Btn/T(agree)${box(5, 20)}/AS/Off/V/Off/AP<</N<</Accepted ${ticked} 0 R/Off ${unticked} 0 R>>>>`);
  field(`/FT/Btn/T(bare)${box(6, 20)}/DA(/ZaDb 0 Tf 0 g)/MK<</CA(8)/BC[0 0 0]>>`);

  const colour = pdf.reserve();
  const dot = picture('6 6 8 8 re f');
  const kids = ['red', 'green', 'blue'].map((state, index) => {
    const left = 120 + index * 40;
    const bottom = 740 - 7 * 50;
    const num = pdf.add(
      `<<${widget}/Parent ${colour} 0 R/Rect[${left} ${bottom} ${left + 20} ${bottom + 20}]/AS/Off/AP<</N<</${state} ${dot} 0 R/Off ${unticked} 0 R>>>>>>`,
    );
    annots.push(num);
    return num;
  });
  pdf.set(colour, `<</FT/Btn/Ff 49152/T(colour)/V/Off/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`);
  fields.push(colour);

  field(
    `/FT/Ch/Ff 131072/T(size)${box(8)}/DA(/Helv 12 Tf 0 g)/Opt[[(S)(Small)][(M)(Medium)][(L)(Large)]]/MK<</BC[0 0 0]>>`,
  );
  field(`/FT/Tx/T(turned)/Rect[400 200 420 320]/DA(/Helv 12 Tf 0 g)/MK<</R 90/BC[0 0 0]>>`);
  field(`/FT/Tx/T(kept)${box(10)}/DA(/Helv 12 Tf 0 g)/V(Kept value)`);
  const signature = pdf.add('<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents<00>>>');
  field(`/FT/Sig/T(sign)/Rect[0 0 0 0]/V ${signature} 0 R`);

  const list = (numbers: readonly number[]) => numbers.map((num) => `${num} 0 R`).join(' ');
  const fonts = `/Font<</Helv ${helvetica} 0 R/CoBo ${courier} 0 R>>`;
  pdf.set(
    page,
    `<</Type/Page/Parent ${tree} 0 R/Contents ${content} 0 R/Resources<<${fonts}>>/Annots[${list(annots)}]>>`,
  );
  pdf.set(tree, `<</Type/Pages/Count 1/Kids[${page} 0 R]/MediaBox[0 0 612 792]>>`);
  pdf.set(
    root,
    `<</Type/Catalog/Pages ${tree} 0 R/AcroForm<</NeedAppearances true/SigFlags 3/DA(/Helv 0 Tf 0 g)/DR<<${fonts}>>/Fields[${list(fields)}]>>>>`,
  );
  return pdf.build(root);
}
