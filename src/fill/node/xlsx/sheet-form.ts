import { CELL_VALUES, type CellValues } from '#lib/xlsx/cell-values.ts';

/** A sheet as CSV, or as the JSON of `rows_json` (without blank cells, null for an error), with or without its first row. */
export const SHEET_FORMS = ['csv', 'json', 'json-below-header'] as const;
export type SheetForm = (typeof SHEET_FORMS)[number];

export interface SheetOrder {
  readonly form: SheetForm;
  readonly values: CellValues;
}

/** Encodes the request, which precedes the workbook: the form and the maximum sheet size. */
export function orderBytes({ form, values }: SheetOrder, maxSheetBytes: number): Uint8Array {
  const bytes = Buffer.alloc(ORDER_LENGTH);
  bytes[0] = SHEET_FORMS.indexOf(form);
  bytes[1] = CELL_VALUES.indexOf(values);
  bytes.writeDoubleBE(maxSheetBytes, 2);
  return bytes;
}

export const ORDER_LENGTH = 10;

export function orderOf(bytes: Buffer): SheetOrder & { readonly maxSheetBytes: number } {
  const form = SHEET_FORMS[bytes[0] ?? 0];
  const values = CELL_VALUES[bytes[1] ?? 0];
  if (form === undefined || values === undefined) throw new Error('bug: an unknown form of a sheet');
  return { form, values, maxSheetBytes: bytes.readDoubleBE(2) };
}

/** The first byte of a response. The text follows `TEXT`; the size of the sheet, in digits, follows `SHEET_TOO_LARGE`. */
export const TEXT = 0;
export const SHEET_TOO_LARGE = 1;
