import { RecordsRefused } from '../records/records-refused.ts';

export type RowsRefusedCode =
  | 'INVALID_CSV'
  | 'COLUMNS_MISSING'
  | 'COLUMNS_AMBIGUOUS'
  | 'INVALID_ROWS_JSON'
  | 'NO_ROWS'
  | 'TOO_MANY_ROWS'
  | 'TOO_MANY_COLUMNS'
  | 'GROUP_TOO_LARGE'
  | 'ROWS_TOO_LARGE';

/**
 * Ends the reading of a row input that cannot be accepted. An exception, because it leaves the middle of a stream; the code that started
 * the reading turns it into `{code, message}`. Messages contain a line or a row number, never the content of a cell.
 */
export class RowsRefused extends Error {
  readonly code: RowsRefusedCode;

  constructor(code: RowsRefusedCode, message: string) {
    super(message);
    this.name = 'RowsRefused';
    this.code = code;
  }
}

/** Runs a step of a record reader and gives its refusal the code of rows. `invalid` is the code for a broken format. */
export function refusedAs<T>(invalid: 'INVALID_CSV' | 'INVALID_ROWS_JSON', step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof RecordsRefused)) throw error;
    throw new RowsRefused(error.reason === 'too-many-columns' ? 'TOO_MANY_COLUMNS' : invalid, error.message);
  }
}
