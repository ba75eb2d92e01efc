import type { UnreadWorkbook } from './read-workbook.ts';

/** Why an uploaded workbook was not read, as sentences that follow its name. Names the limit and the setting behind it. */
export function workbookRefusal(read: Exclude<UnreadWorkbook, { reason: 'output' }>): string {
  const instead = 'Send the rows as CSV, or ask the operator to raise';
  switch (read.reason) {
    case 'unreadable':
      return 'is not a readable XLSX workbook.';
    case 'time':
      return `takes longer than ${read.limit} ms to read. ${instead} ROWPRESS_XLSX_TIMEOUT_MS.`;
    case 'memory':
      return `takes more than ${read.limit} bytes of memory to read. ${instead} ROWPRESS_XLSX_MAX_MEMORY_BYTES.`;
    case 'sheet':
      return `has a sheet of ${read.bytes} bytes of XML; at most ${read.limit} are allowed. ${instead} ROWPRESS_XLSX_MAX_SHEET_BYTES.`;
  }
}
