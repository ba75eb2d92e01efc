/**
 * The characters that every base embeds for each face of its layout: ASCII, Latin-1, Latin Extended-A, the
 * comma-below letters of Romanian, and the punctuation of ordinary European prose. The set is fixed, so that a base
 * depends on source, package and options alone. It takes about 14 kB per face after compression. A row embeds any
 * other characters itself (row-fonts.ts).
 */
const PUNCTUATION =
  '\u2010\u2011\u2012\u2013\u2014\u2015\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u2020\u2021\u2022\u2026\u2030\u2032\u2033\u2039\u203a\u2044\u20ac\u2116\u2122\u2212';

export const BASE_CHARSET: readonly number[] = [
  ...between(0x20, 0x7e),
  ...between(0xa1, 0xac),
  ...between(0xae, 0x17f),
  ...between(0x218, 0x21b),
  ...[...PUNCTUATION].map((character) => character.codePointAt(0) ?? 0),
];

/** One above the highest base character: the size of the per-face tables indexed by character. */
export const BASE_TABLE_SIZE = Math.max(...BASE_CHARSET) + 1;

function between(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
