import type { Layout } from '#fill/package/layout-schema.ts';
import { columnsOfShowIf, columnsOfValue } from '#fill/values/columns-used.ts';
import { type ShownValue, valuesOf } from '#fill/values/values-of.ts';

type Part = Layout['overlays'][number] | Layout['form_fields'][number];

const EXAMPLE_DATE = '2026-01-31';

/**
 * An example value of a column: one that its first use can show. Blank for pictures, which a sheet cannot hold, and for
 * columns that nothing reads.
 */
export function exampleValue(layout: Layout, key: string): string {
  const { overlays, form_fields } = layout;
  const column = layout.columns.find((each) => each.key === key);
  const parts: readonly Part[] = [...overlays, ...form_fields];
  const reads = ({ value }: ShownValue) => columnsOfValue(value).includes(key);
  const user = parts.find((part) => valuesOf(part).some(reads));
  if (user === undefined) return conditionValue(parts, key);
  if ('type' in user) {
    if (user.type === 'image' || user.type === 'signature') return '';
    if (user.type === 'check') return user.on_value ?? 'yes';
    if (user.type === 'barcode') return CODE_EXAMPLES[user.symbology] ?? '12345';
    if (user.type === 'date') return EXAMPLE_DATE;
  }
  const { format, isSummed } = valuesOf(user).find(reads) ?? {};
  if (isSummed === true && column?.input === undefined) return numberWith('.');
  if (format !== undefined && 'number' in format)
    return numberWith(
      format.input_decimal ?? (column?.input?.type === 'number' ? column.input.decimal : '.'),
    );
  if (format !== undefined || column?.input?.type === 'date') return EXAMPLE_DATE;
  if (column?.input?.type === 'number') return numberWith(column.input.decimal);
  if ('field' in user) return fieldValue(layout, user.field) ?? textValue(column?.label, key);
  return textValue(column?.label, key);
}

const numberWith = (decimal: string) => `1234${decimal}5`;
const textValue = (label: string | undefined, key: string) =>
  label === undefined || label === '' ? key : label;

/** An option of a form field; undefined if any text fits. */
function fieldValue({ source }: Layout, name: string): string | undefined {
  const field = source?.form_fields.find((each) => each.name === name);
  const option = field?.options?.find(({ value }) => value !== '' && value !== 'Off');
  if (option !== undefined) return option.label === '' ? option.value : option.label;
  return field?.type === 'checkbox' ? 'yes' : undefined;
}

/** A column that only decides whether something is shown gets a value that shows it. */
function conditionValue(parts: readonly Part[], key: string): string {
  for (const { show_if: showIf } of parts) {
    if (showIf === undefined || !columnsOfShowIf(showIf).includes(key)) continue;
    const all = 'all' in showIf ? showIf.all : 'any' in showIf ? showIf.any : [showIf];
    const condition = all.find(({ column }) => column === key);
    return condition?.equals ?? condition?.in?.[0] ?? (condition?.blank === true ? '' : 'yes');
  }
  return '';
}

/** Values with the length and the check digit that these symbologies require. */
export const CODE_EXAMPLES: Readonly<Record<string, string>> = {
  ean13: '4006381333931',
  ean8: '96385074',
  ean5: '12345',
  ean2: '12',
  upca: '036000291452',
  upce: '01234565',
  itf14: '00012345678905',
  isbn: '978-3-16-148410-0',
  code39: 'CODE39',
  'gs1-128': '(01)04006381333931',
  gs1datamatrix: '(01)04006381333931',
  gs1qrcode: '(01)04006381333931',
};
