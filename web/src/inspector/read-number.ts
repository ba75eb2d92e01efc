import type { Reading } from './typed-text.ts';

/** What a number input accepts, and how it writes numbers. */
export interface NumberLimits {
  readonly min?: number;
  readonly max?: number;
  /** Only whole numbers. */
  readonly whole?: boolean;
  readonly unit?: string;
  readonly format?: (value: number) => string;
  readonly parse?: (text: string) => number | undefined;
}

/** `12,5` and `50 %` are numbers; undefined if the text is not one. */
export function plainNumber(text: string): number | undefined {
  const value = Number(
    text
      .trim()
      .replace(',', '.')
      .replace(/\s*[°%×]$/, ''),
  );
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}

/** Reads a typed number. A number outside the limits is a problem, because another number would not be what was typed. */
export function readNumber(text: string, limits: NumberLimits): Reading<number> {
  const { min, max, whole = false, unit, format = String, parse = plainNumber } = limits;
  const value = parse(text);
  const isWithin = (number: number) => number >= (min ?? -Infinity) && number <= (max ?? Infinity);
  if (value !== undefined && isWithin(value) && (!whole || Number.isInteger(value))) return { value };
  const kind = whole ? 'a whole number' : 'a number';
  const units = unit === undefined || unit.startsWith('of') ? '' : ` ${unit}`;
  const range =
    min === undefined || max === undefined ? '' : ` from ${format(min)} to ${format(max)}${units}`;
  return { problem: `Enter ${kind}${range}.` };
}
