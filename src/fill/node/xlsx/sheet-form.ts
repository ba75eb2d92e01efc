/** A sheet as CSV, or as the JSON of `rows_json` (empty cells left out), with its first row or below it. */
export const SHEET_FORMS = ['csv', 'json', 'json-below-header'] as const;
export type SheetForm = (typeof SHEET_FORMS)[number];
