export type RowsRefusedCode =
  | 'INVALID_CSV'
  | 'INVALID_ROWS_JSON'
  | 'NO_ROWS'
  | 'TOO_MANY_ROWS'
  | 'TOO_MANY_COLUMNS'
  | 'ROWS_TOO_LARGE';

/**
 * Ends the reading of a row input that cannot be accepted. It is an exception because it has to leave the middle of a stream;
 * whoever started the reading turns it into the answer `{code, message}`. Messages name a line or a
 * row, never a cell's content.
 */
export class RowsRefused extends Error {
  readonly code: RowsRefusedCode;

  constructor(code: RowsRefusedCode, message: string) {
    super(message);
    this.name = 'RowsRefused';
    this.code = code;
  }
}
