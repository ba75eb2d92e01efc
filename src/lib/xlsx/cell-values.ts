/** `shown`: the text that the spreadsheet shows. `raw`: the value behind it, whatever its format. */
export const CELL_VALUES = ['shown', 'raw'] as const;
export type CellValues = (typeof CELL_VALUES)[number];
