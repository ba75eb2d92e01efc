/** The cells of a row, with its number in the file as one more cell after the last column: `file-row-7`. */
export const withFileRow = (cells: readonly string[], columnCount: number, row: number): string[] => [
  ...cells,
  ...Array<string>(columnCount - cells.length).fill(''),
  `file-row-${row}`,
];
