/**
 * Small PDFs written object by object, so that a test can specify the exact page, box or field. The first text
 * of each page is its own content, which filling must keep.
 */
export interface TestPage {
  readonly mediaBox?: readonly [number, number, number, number];
  readonly cropBox?: readonly [number, number, number, number];
  readonly rotate?: 0 | 90 | 180 | 270;
  readonly userUnit?: number;
  readonly text?: string;
}

export interface TestField {
  readonly name: string;
  readonly kind: 'text' | 'checkbox' | 'dropdown' | 'radio';
  /** Boxes of the widget on page 1, in user space; one per choice for radio groups. */
  readonly rects: readonly (readonly [number, number, number, number])[];
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** Additional entries of the field dictionary. */
  readonly extra?: string;
}

export interface TestPdf {
  readonly pages?: readonly TestPage[];
  readonly fields?: readonly TestField[];
  /** Additional entries of the catalogue. */
  readonly catalog?: string;
}

export function sourcePdf({ pages = [{}], fields = [], catalog = '' }: TestPdf = {}): Uint8Array {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const stream = (content: string, dict = '') =>
    `<<${dict}/Length ${content.length}>>\nstream\n${content}\nendstream`;
  const list = (numbers: readonly number[]) => numbers.join(' ');

  const catalogNumber = add('');
  const pagesNumber = add('');
  const fontNumber = add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');
  const widgets: number[] = [];
  const fieldNumbers = fields.map((field) => {
    const widgetBase = (rect: readonly number[]) => `/Type/Annot/Subtype/Widget/F 4/Rect[${list(rect)}]`;
    const appearance = (rect: readonly number[], on: string) => {
      const box = `/Type/XObject/Subtype/Form/BBox[0 0 ${(rect[2] ?? 0) - (rect[0] ?? 0)} ${(rect[3] ?? 0) - (rect[1] ?? 0)}]`;
      const yes = add(stream('0 0 m 10 10 l S', box));
      const off = add(stream('', box));
      return `/AP<</N<</${on} ${yes} 0 R/Off ${off} 0 R>>>>/AS/Off`;
    };
    const name = `/T(${field.name})${field.extra ?? ''}`;
    const [first = [0, 0, 1, 1]] = field.rects;
    const da = '/DA(/Helv 10 Tf 0 g)';
    if (field.kind === 'radio') {
      const parent = add('');
      const kids = field.rects.map((rect, index) => {
        const kid = add(
          `<<${widgetBase(rect)}/Parent ${parent} 0 R${appearance(rect, field.options?.[index]?.[0] ?? 'Yes')}>>`,
        );
        widgets.push(kid);
        return kid;
      });
      objects[parent - 1] =
        `<</FT/Btn/Ff 49152${name}/V/Off/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`;
      return parent;
    }
    const bodies = {
      text: () => `/FT/Tx${da}`,
      checkbox: () => `/FT/Btn/V/Off${appearance(first, field.options?.[0]?.[0] ?? 'Yes')}`,
      dropdown: () =>
        `/FT/Ch/Ff 131072${da}/Opt[${(field.options ?? []).map(([value, label]) => `[(${value})(${label})]`).join('')}]`,
    };
    const widget = add(`<<${widgetBase(first)}${name}${bodies[field.kind]()}>>`);
    widgets.push(widget);
    return widget;
  });

  const kids = pages.map((page, index) => {
    const { mediaBox = [0, 0, 595, 842], cropBox, rotate = 0, userUnit, text = `page ${index + 1}` } = page;
    const left = Math.max(mediaBox[0], cropBox?.[0] ?? mediaBox[0]);
    const bottom = Math.max(mediaBox[1], cropBox?.[1] ?? mediaBox[1]);
    const content = add(stream(`BT /F1 10 Tf ${left + 20} ${bottom + 20} Td (${text}) Tj ET`));
    return add(
      `<</Type/Page/Parent ${pagesNumber} 0 R/MediaBox[${list(mediaBox)}]` +
        (cropBox === undefined ? '' : `/CropBox[${list(cropBox)}]`) +
        (rotate === 0 ? '' : `/Rotate ${rotate}`) +
        (userUnit === undefined ? '' : `/UserUnit ${userUnit}`) +
        (index === 0 && widgets.length > 0 ? `/Annots[${widgets.map((n) => `${n} 0 R`).join(' ')}]` : '') +
        `/Resources<</Font<</F1 ${fontNumber} 0 R>>>>/Contents ${content} 0 R>>`,
    );
  });
  const form =
    fields.length === 0
      ? ''
      : `/AcroForm<</Fields[${fieldNumbers.map((n) => `${n} 0 R`).join(' ')}]/DR<</Font<</Helv ${fontNumber} 0 R>>>>>>`;
  objects[catalogNumber - 1] = `<</Type/Catalog/Pages ${pagesNumber} 0 R${form}${catalog}>>`;
  objects[pagesNumber - 1] =
    `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((n) => `${n} 0 R`).join(' ')}]>>`;
  return serialise(objects, catalogNumber);
}

function serialise(objects: readonly string[], root: number): Uint8Array {
  let text = '%PDF-1.7\n';
  const offsets = objects.map((body, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const xref = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const offset of offsets) text += `${String(offset).padStart(10, '0')} 00000 n \n`;
  text += `trailer\n<</Size ${objects.length + 1}/Root ${root} 0 R>>\nstartxref\n${xref}\n%%EOF\n`;
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
