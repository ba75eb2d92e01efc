/** Ends the reading of bytes that are not an XLSX workbook, or one that is damaged or too large. */
export class WorkbookUnreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WorkbookUnreadable';
  }
}

/** Ends the reading of a workbook before its sheet is unpacked. */
export class SheetTooLarge extends WorkbookUnreadable {
  readonly bytes: number;

  constructor(bytes: number) {
    super(`its sheet has ${bytes} bytes of XML`);
    this.name = 'SheetTooLarge';
    this.bytes = bytes;
  }
}
