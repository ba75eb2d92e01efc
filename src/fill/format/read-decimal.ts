/**
 * Reads numbers as people and spreadsheets write them, without floating point: the digits stay a string of any length.
 *
 * The digits before the decimal sign may be grouped in threes by a space (plain, no-break, narrow or thin), an apostrophe
 * or the other sign, the same mark throughout. The first group begins with 1–9, so that `0.125` is not read as 125.
 */
export type DecimalSign = '.' | ',';

/** How a column writes its numbers; `mixed` has values that fit only the point and values that fit only the comma. */
export type InputDecimal = DecimalSign | 'mixed';

export interface Decimal {
  readonly negative: boolean;
  /** Digits before and after the sign, without groups. */
  readonly whole: string;
  readonly fraction: string;
  readonly exponent: number;
}

const EXPONENT = '(?:[eE]([+-]?[0-9]{1,6}))?$';
const PLAIN = {
  '.': new RegExp(`^([+\\-\\u2212]?)([0-9]+)(?:\\.([0-9]+))?${EXPONENT}`),
  ',': new RegExp(`^([+\\-\\u2212]?)([0-9]+)(?:,([0-9]+))?${EXPONENT}`),
};
const SPACES_AND_APOSTROPHES = " \\u00a0\\u202f\\u2009'\\u2019";
const groups = (other: string) =>
  `([1-9][0-9]{0,2}([${SPACES_AND_APOSTROPHES}${other}])[0-9]{3}(?:\\3[0-9]{3})*)`;
const GROUPED = {
  '.': new RegExp(`^([+\\-\\u2212]?)${groups(',')}(?:\\.([0-9]+))?${EXPONENT}`),
  ',': new RegExp(`^([+\\-\\u2212]?)${groups('.')}(?:,([0-9]+))?${EXPONENT}`),
};
const NOT_DIGITS = /[^0-9]/g;

/** Returns the number, or null if `text` is not a number with that decimal sign. */
export function readDecimal(text: string, sign: InputDecimal): Decimal | null {
  const trimmed = text.trim();
  return sign === 'mixed' ? readEither(trimmed) : read(trimmed, sign);
}

function read(text: string, sign: DecimalSign): Decimal | null {
  const plain = PLAIN[sign].exec(text);
  if (plain !== null) return decimal(plain[1], plain[2] ?? '', plain[3], plain[4]);
  const grouped = GROUPED[sign].exec(text);
  if (grouped === null) return null;
  return decimal(grouped[1], (grouped[2] ?? '').replace(NOT_DIGITS, ''), grouped[4], grouped[5]);
}

function decimal(mark: string | undefined, whole: string, fraction = '', exponent = '0'): Decimal {
  return { negative: mark === '-' || mark === '\u2212', whole, fraction, exponent: Number(exponent) };
}

/** Reads only unambiguous numbers: `1,5` and `1 234`, but not `1.234`. */
function readEither(text: string): Decimal | null {
  const point = read(text, '.');
  const comma = read(text, ',');
  if (point === null || comma === null) return point ?? comma;
  return point.whole === comma.whole && point.fraction === comma.fraction ? point : null;
}

/** Returns the only decimal sign with which `text` is a number, or null if both or neither fit. */
export function onlySign(text: string): DecimalSign | null {
  const trimmed = text.trim();
  const point = read(trimmed, '.') !== null;
  if (point === (read(trimmed, ',') !== null)) return null;
  return point ? '.' : ',';
}
