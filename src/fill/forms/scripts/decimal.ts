/**
 * A decimal number without floating point: `units` divided by ten to the power of `scale`. 0.1 + 0.2 is exactly 0.3.
 */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export const ZERO: Decimal = { units: 0n, scale: 0 };
export const ONE: Decimal = { units: 1n, scale: 0 };

/** Longer numbers are not amounts; the limit bounds the work of a product of many fields. */
const MAX_DIGITS = 60;
const PLAIN = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** Reads a plain decimal number with a point. Returns null for anything else. */
export function parseDecimal(text: string): Decimal | null {
  const match = PLAIN.exec(text.trim());
  const [, sign = '', whole = '', fraction = ''] = match ?? [];
  const digits = whole + fraction;
  if (match === null || digits === '' || digits.length > MAX_DIGITS) return null;
  const units = BigInt(digits);
  return { units: sign === '-' ? -units : units, scale: fraction.length };
}

export function decimalText({ units, scale }: Decimal): string {
  const digits = abs(units)
    .toString()
    .padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

export const multiply = (a: Decimal, b: Decimal): Decimal => ({
  units: a.units * b.units,
  scale: a.scale + b.scale,
});

export function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = unitsAt(a, scale) - unitsAt(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Rounds half away from zero to `scale` decimals. */
export function divide({ units, scale }: Decimal, divisor: number, decimals: number): Decimal {
  const shift = decimals - scale;
  const numerator = shift > 0 ? units * 10n ** BigInt(shift) : units;
  const denominator = BigInt(divisor) * (shift < 0 ? 10n ** BigInt(-shift) : 1n);
  const doubled = (2n * abs(numerator) + denominator) / (2n * denominator);
  return { units: numerator < 0n ? -doubled : doubled, scale: decimals };
}

export const round = (value: Decimal, decimals: number): Decimal =>
  value.scale <= decimals ? value : divide(value, 1, decimals);

const unitsAt = ({ units, scale }: Decimal, wanted: number) => units * 10n ** BigInt(wanted - scale);
const abs = (value: bigint) => (value < 0n ? -value : value);
