/** The media type of a workbook, which distinguishes it from a CSV file. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
