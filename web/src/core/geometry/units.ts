import { quantise } from './quantise.ts';

/** Units for display. The layout itself uses points. */
export type Unit = 'pt' | 'mm' | 'in';

const POINTS_PER: Readonly<Record<Unit, number>> = { pt: 1, mm: 72 / 25.4, in: 72 };
/** Enough digits for a length to survive formatting and parsing to a thousandth of a point. */
const DIGITS: Readonly<Record<Unit, number>> = { pt: 3, mm: 4, in: 5 };
const SHOWN_DIGITS: Readonly<Record<Unit, number>> = { pt: 2, mm: 2, in: 3 };

/** `72` points → `25.4`, without trailing zeros. */
export function formatLength(points: number, unit: Unit): string {
  const exact = points / POINTS_PER[unit];
  const short = Number(exact.toFixed(SHOWN_DIGITS[unit]));
  const same = quantise(short * POINTS_PER[unit]) === quantise(points);
  return String(same ? short : Number(exact.toFixed(DIGITS[unit])));
}

const WRITTEN = /^([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+))\s*(pt|mm|cm|in|")?$/i;

/** `25,4 mm` → `72`; a bare number is in `unit`. Undefined if the text is not a length. */
export function parseLength(text: string, unit: Unit): number | undefined {
  const match = WRITTEN.exec(text.trim());
  if (match === null) return undefined;
  const [, digits = '', written = unit] = match;
  const value = Number(digits.replace(',', '.'));
  const name = written.toLowerCase();
  const points =
    name === 'cm' ? value * 10 * POINTS_PER.mm : value * POINTS_PER[name === '"' ? 'in' : (name as Unit)];
  return Number.isFinite(points) ? quantise(points) : undefined;
}
