/** Ends the reading of bytes that are not an XLSX workbook, or one that is damaged or too large. */
export class WorkbookUnreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WorkbookUnreadable';
  }
}
