/**
 * Returns whether the text is an integer that a double cannot represent. Integers beyond 2^53 lose their last digits (RFC 7493, 2.2);
 * some, such as `9007199254740993000`, do not.
 */
export function isInexactInteger(text: string): boolean {
  return /^[+-]?\d{16,}$/.test(text) && significant(text) !== significant(String(Number(text)));
}

const significant = (number: string) =>
  number
    .replace(/e.*$/, '')
    .replace(/[+.-]/g, '')
    .replace(/^0+|0+$/g, '');
