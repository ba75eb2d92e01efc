import { type InputDecimal, readDecimal } from './read-decimal.ts';

/**
 * Formats numbers without Intl (whose data differs between engines and versions) and without floating point:
 * the value is a decimal string of any length, so 20-digit ids and 1.005 keep every digit.
 *
 * A pattern is `prefix digits suffix`. `0` is a digit that is always printed, `#` a digit that is printed if it is
 * significant, `,` before the decimal point means groups of three, and digits after `.` set the minimum (`0`) and maximum
 * (`0` and `#`) number of decimals. `%` in prefix or suffix multiplies by 100. Text in single quotes is literal, `''` is
 * one quote. Rounding is half away from zero. Examples: `#,##0.00` → 1,234.50 · `000000` → 000042 · `0.0#%` → 12.5%.
 */
export interface NumberPattern {
  readonly prefix: string;
  readonly suffix: string;
  readonly percent: boolean;
  readonly grouped: boolean;
  readonly minIntegerDigits: number;
  readonly minDecimals: number;
  readonly maxDecimals: number;
}
export interface NumberMarks {
  readonly decimal: string;
  readonly group: string;
}

const DIGITS = /^(#*0+|#+)(?:\.(0*)(#*))?$/;
/** Limits the work for `1e400`. Longer numbers are not formatted. */
const MAX_EXPONENT = 400;

export function parseNumberPattern(
  pattern: string,
): { readonly ok: true; readonly pattern: NumberPattern } | { readonly ok: false } {
  const before = readLiteral(pattern, 0);
  if (before === null) return { ok: false };
  let end = before.end;
  while (end < pattern.length && '#0,.'.includes(pattern.charAt(end))) end += 1;
  const digits = pattern.slice(before.end, end);
  const after = readLiteral(pattern, end);
  if (after === null || after.end !== pattern.length || before.percent + after.percent > 1)
    return { ok: false };
  const [whole = '', ...decimals] = digits.split('.');
  const grouped = whole.includes(',');
  if (grouped && !/^[#0]+(,[#0]{3})+$/.test(whole)) return { ok: false };
  const match = DIGITS.exec([whole.replaceAll(',', ''), ...decimals].join('.'));
  if (match === null) return { ok: false };
  const [, integer = '', always = '', optional = ''] = match;
  return {
    ok: true,
    pattern: {
      prefix: before.text,
      suffix: after.text,
      percent: before.percent + after.percent > 0,
      grouped,
      minIntegerDigits: integer.length - integer.replaceAll('0', '').length,
      minDecimals: always.length,
      maxDecimals: always.length + optional.length,
    },
  };
}

/** Returns the formatted text, or null if `text` is not a number with that decimal sign; the caller then keeps it unchanged. */
export function formatNumber(
  text: string,
  pattern: NumberPattern,
  marks: NumberMarks,
  sign: InputDecimal,
): string | null {
  const read = readDecimal(text, sign);
  if (read === null) return null;
  const { whole, fraction, exponent } = read;
  if (exponent > MAX_EXPONENT || exponent < -MAX_EXPONENT) return null;

  const digits = whole + fraction;
  const point = whole.length + exponent + (pattern.percent ? 2 : 0);
  const [integer, decimals] = roundAt(digits, point, pattern.maxDecimals);

  const shownInteger = integer.replace(/^0+/, '').padStart(pattern.minIntegerDigits, '0');
  const shownDecimals = decimals.replace(/0+$/, '').padEnd(pattern.minDecimals, '0');
  const grouped = pattern.grouped ? shownInteger.replace(/\B(?=(?:[0-9]{3})+$)/g, marks.group) : shownInteger;
  const body = shownDecimals === '' ? grouped || '0' : grouped + marks.decimal + shownDecimals;
  const negative = read.negative && /[1-9]/.test(body);
  return (negative ? '-' : '') + pattern.prefix + body + pattern.suffix;
}

/** Rounds `digits`, whose decimal point follows `point` digits, to `decimals`. Returns integer part and decimals. */
function roundAt(digits: string, point: number, decimals: number): [string, string] {
  const padded = point < 1 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const keep = at + decimals;
  let kept = padded.slice(0, keep).padEnd(keep, '0');
  if ((padded[keep] ?? '0') >= '5') kept = (BigInt(kept) + 1n).toString().padStart(keep, '0');
  const integerDigits = kept.length - decimals;
  return [kept.slice(0, integerDigits), kept.slice(integerDigits)];
}

function readLiteral(pattern: string, from: number): { text: string; end: number; percent: number } | null {
  let text = '';
  let percent = 0;
  let at = from;
  while (at < pattern.length) {
    const char = pattern.charAt(at);
    if ('#0,.'.includes(char)) break;
    if (char === "'") {
      const close = pattern.indexOf("'", at + 1);
      if (close < 0) return null;
      text += close === at + 1 ? "'" : pattern.slice(at + 1, close);
      at = close + 1;
      continue;
    }
    if (char === '%') percent += 1;
    text += char;
    at += 1;
  }
  return { text, end: at, percent };
}
