/** `shown` is the text that the spreadsheet shows. `raw` is the value without its format. */
export const CELL_VALUES = ['shown', 'raw'] as const;
export type CellValues = (typeof CELL_VALUES)[number];
