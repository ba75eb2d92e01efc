/**
 * Ends the reading of a file that cannot be imported. It is an exception because it has to leave the middle of
 * a stream; the route turns it into the answer. Messages name a line, never a cell's content.
 */
export class CsvRefused extends Error {
  readonly code: 'invalid_csv' | 'csv_too_large';

  constructor(code: 'invalid_csv' | 'csv_too_large', message: string) {
    super(message);
    this.name = 'CsvRefused';
    this.code = code;
  }
}
