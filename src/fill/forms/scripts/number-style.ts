import { type Decimal, parseDecimal, round } from './decimal.ts';

/** Separators by Acrobat's `sepStyle`: 1,234.56 · 1234.56 · 1.234,56 · 1234,56 · 1'234.56. */
const SEPARATORS = [
  { group: ',', decimal: '.' },
  { group: '', decimal: '.' },
  { group: '.', decimal: ',' },
  { group: '', decimal: ',' },
  { group: "'", decimal: '.' },
] as const;

export type SeparatorStyle = 0 | 1 | 2 | 3 | 4;

/**
 * Reads a number from a row or form: a plain decimal number, or one with the separators of its field. Groups must have
 * three digits.
 */
export function readNumber(text: string, style: SeparatorStyle): Decimal | null {
  const trimmed = text.trim();
  const plain = parseDecimal(trimmed);
  if (plain !== null) return plain;
  const { group, decimal } = SEPARATORS[style];
  const [whole = '', fraction, ...rest] = trimmed.split(decimal);
  if (rest.length > 0) return null;
  if (group !== '' && whole.includes(group) && !isGrouped(whole, group)) return null;
  const digits = group === '' ? whole : whole.replaceAll(group, '');
  return parseDecimal(fraction === undefined ? digits : `${digits}.${fraction}`);
}

function isGrouped(whole: string, group: string): boolean {
  const [first = '', ...others] = whole.split(group);
  return /^[+-]?\d{1,3}$/.test(first) && others.every((part) => /^\d{3}$/.test(part));
}

/** Returns the digits of a number without its sign, rounded half away from zero. */
export function writeNumber(value: Decimal, decimals: number, style: SeparatorStyle): string {
  const { units, scale } = round(value, decimals);
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).padEnd(decimals, '0');
  const { group, decimal } = SEPARATORS[style];
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, group);
  return fraction === '' ? grouped : `${grouped}${decimal}${fraction}`;
}
