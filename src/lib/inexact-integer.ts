/**
 * Integers beyond 2^53 lose their last digits in a double (RFC 7493, 2.2). True for the text of one that would
 * come back changed; `9007199254740993000` happens to be kept.
 */
export function isInexactInteger(text: string): boolean {
  return /^[+-]?\d{16,}$/.test(text) && significant(text) !== significant(String(Number(text)));
}

const significant = (number: string) =>
  number
    .replace(/e.*$/, '')
    .replace(/[+.-]/g, '')
    .replace(/^0+|0+$/g, '');
