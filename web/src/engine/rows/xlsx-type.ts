/** The media type by which a workbook of rows is told from a CSV. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
