/**
 * Thrown when a file cannot be imported. It interrupts the reading of a stream; the route turns it into the response.
 * Messages contain a line number, never the content of a cell.
 */
export class CsvRefused extends Error {
  readonly code: 'invalid_csv' | 'csv_too_large';

  constructor(code: 'invalid_csv' | 'csv_too_large', message: string) {
    super(message);
    this.name = 'CsvRefused';
    this.code = code;
  }
}
