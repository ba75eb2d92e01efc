import { CELL_VALUES, type CellValues } from '../../../lib/xlsx/cell-values.ts';

/** A sheet as CSV, or as the JSON of `rows_json` (blank cells left out, null for an error), with its first row or below it. */
export const SHEET_FORMS = ['csv', 'json', 'json-below-header'] as const;
export type SheetForm = (typeof SHEET_FORMS)[number];

export interface SheetOrder {
  readonly form: SheetForm;
  readonly values: CellValues;
}

/** The two bytes before a workbook that say what is wanted of it. */
export const orderBytes = ({ form, values }: SheetOrder) =>
  Uint8Array.of(SHEET_FORMS.indexOf(form), CELL_VALUES.indexOf(values));

export const ORDER_LENGTH = 2;

export function orderOf(bytes: Uint8Array): SheetOrder {
  const form = SHEET_FORMS[bytes[0] ?? 0];
  const values = CELL_VALUES[bytes[1] ?? 0];
  if (form === undefined || values === undefined) throw new Error('bug: an unknown form of a sheet');
  return { form, values };
}
