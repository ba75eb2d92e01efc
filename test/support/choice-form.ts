import { PdfBuilder } from './pdf-builder.ts';

/** A field with one button per state; null is a button without appearances. */
export interface ButtonField {
  readonly name: string;
  readonly states: readonly (string | null)[];
  /** Radio flags (49152: a radio group, 33603584: a group whose equal buttons switch together); 0 is a checkbox. */
  readonly flags?: number;
  /** Entries of the /Opt array, as PDF text. */
  readonly opt?: string;
}

/** A choice field with one widget of the given height. */
export interface ChoiceField {
  readonly name: string;
  /** 131072 is a dropdown, 0 a list box, 2097152 a multi-select list box. */
  readonly flags: number;
  /** Entries of the /Opt array, as PDF text. */
  readonly opt: string;
  readonly height?: number;
  /** Additional entries of the field dictionary. */
  readonly extra?: string;
}

export const RADIO = 49_152;
export const RADIO_IN_UNISON = RADIO + (1 << 25);
export const DROPDOWN = 1 << 17;
export const MULTI_SELECT = 1 << 21;

/** Builds a page with these fields stacked vertically; every button has an appearance for both states. */
export function choiceForm(
  fields: readonly (ButtonField | ChoiceField)[],
  { pageHeight = 800, form = '' }: { pageHeight?: number; form?: string } = {},
): Uint8Array {
  const pdf = new PdfBuilder();
  const root = pdf.reserve();
  const tree = pdf.reserve();
  const page = pdf.reserve();
  const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');
  const picture = (marks: string) => pdf.add('<</BBox[0 0 20 20]/Resources<<>>>>', marks);
  const on = picture('.5 .5 19 19 re S 4 4 12 12 re f');
  const off = picture('.5 .5 19 19 re S');
  const widget = `/Type/Annot/Subtype/Widget/F 4/P ${page} 0 R`;
  const annots: number[] = [];
  const listed: number[] = [];
  let top = pageHeight - 20;
  for (const field of fields) {
    if ('states' in field) {
      const parent = pdf.reserve();
      const kids = field.states.map((state, index) => {
        const rect = `/Rect[${20 + 30 * index} ${top - 20} ${40 + 30 * index} ${top}]`;
        const pictures =
          state === null ? '' : `/AS/Off/AP<</N<</${nameOf(state)} ${on} 0 R/Off ${off} 0 R>>>>`;
        return pdf.add(`<<${widget}/Parent ${parent} 0 R${rect}${pictures}>>`);
      });
      annots.push(...kids);
      listed.push(parent);
      const opt = field.opt === undefined ? '' : `/Opt[${field.opt}]`;
      pdf.set(parent, `<</FT/Btn/Ff ${field.flags ?? 0}/T(${field.name})/V/Off${opt}/Kids[${refs(kids)}]>>`);
      top -= 30;
    } else {
      const height = field.height ?? 20;
      const num = pdf.add(
        `<<${widget}/FT/Ch/Ff ${field.flags}/T(${field.name})/Rect[20 ${top - height} 220 ${top}]` +
          `/DA(/Helv 12 Tf 0 g)/Opt[${field.opt}]${field.extra ?? ''}>>`,
      );
      annots.push(num);
      listed.push(num);
      top -= height + 10;
    }
  }
  const fonts = `/Font<</Helv ${font} 0 R>>`;
  pdf.set(page, `<</Type/Page/Parent ${tree} 0 R/Resources<<${fonts}>>/Annots[${refs(annots)}]>>`);
  pdf.set(tree, `<</Type/Pages/Count 1/Kids[${page} 0 R]/MediaBox[0 0 612 ${pageHeight}]>>`);
  pdf.set(
    root,
    `<</Type/Catalog/Pages ${tree} 0 R/AcroForm<<${form}/DR<<${fonts}>>/Fields[${refs(listed)}]>>>>`,
  );
  return pdf.build(root);
}

const refs = (numbers: readonly number[]) => numbers.map((num) => `${num} 0 R`).join(' ');
const nameOf = (state: string) => state.replaceAll(' ', '#20');
