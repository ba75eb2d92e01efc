/**
 * Ends the reading of a file that cannot be imported. An exception, because it leaves the middle of a stream; the route turns it into the
 * response. Messages contain a line, never the content of a cell.
 */
export class CsvRefused extends Error {
  readonly code: 'invalid_csv' | 'csv_too_large';

  constructor(code: 'invalid_csv' | 'csv_too_large', message: string) {
    super(message);
    this.name = 'CsvRefused';
    this.code = code;
  }
}
