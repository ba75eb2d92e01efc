import { DATE_PATTERNS, formatAdobeDate, TIME_PATTERNS } from './adobe-date.ts';
import { multiply, round } from './decimal.ts';
import type { Literal, LiteralCall } from './literal-call.ts';
import { readNumber, type SeparatorStyle, writeNumber } from './number-style.ts';

/** The format action of a field, which changes only the displayed value (Acrobat's AF functions). JSON. */
export type FieldFormat =
  | {
      readonly kind: 'number';
      readonly decimals: number;
      readonly style: SeparatorStyle;
      readonly red: boolean;
      readonly negative: 'minus' | 'none' | 'parentheses';
      readonly currency: string;
      readonly prepend: boolean;
    }
  | {
      readonly kind: 'percent';
      readonly decimals: number;
      readonly style: SeparatorStyle;
      readonly prepend: boolean;
    }
  | { readonly kind: 'date' | 'time'; readonly pattern: string }
  | { readonly kind: 'special'; readonly special: number };

export interface FormattedText {
  readonly text: string;
  /** A negative number that its field shows in red. */
  readonly red: boolean;
}

const MAX_DECIMALS = 30;

/** Returns null if the call is not a built-in format or has unsupported arguments. */
export function readFormat({ name, args }: LiteralCall): FieldFormat | null {
  const [first, second] = args;
  switch (name) {
    case 'AFNumber_Format':
      return numberFormat(args);
    case 'AFPercent_Format': {
      const [decimals, style] = [whole(first, MAX_DECIMALS), whole(second ?? 0, 4)];
      if (decimals === null || style === null) return null;
      return { kind: 'percent', decimals, style: style as SeparatorStyle, prepend: args[2] === true };
    }
    case 'AFDate_Format':
      return patternFormat('date', typeof first === 'number' ? DATE_PATTERNS[first] : undefined);
    case 'AFDate_FormatEx':
      return patternFormat('date', first);
    case 'AFTime_Format':
      return patternFormat('time', typeof first === 'number' ? TIME_PATTERNS[first] : undefined);
    case 'AFTime_FormatEx':
      return patternFormat('time', first);
    case 'AFSpecial_Format': {
      const special = whole(first, 3);
      return special === null ? null : { kind: 'special', special };
    }
    default:
      return null;
  }
}

function numberFormat(args: readonly Literal[]): FieldFormat | null {
  const decimals = whole(args[0], MAX_DECIMALS);
  const style = whole(args[1] ?? 0, 4);
  const negative = whole(args[2] ?? 0, 3);
  const currency = args[4] ?? '';
  if (decimals === null || style === null || negative === null || typeof currency !== 'string') return null;
  return {
    kind: 'number',
    decimals,
    style: style as SeparatorStyle,
    red: negative === 1 || negative === 3,
    negative: negative === 0 ? 'minus' : negative === 1 ? 'none' : 'parentheses',
    currency,
    prepend: args[5] === true,
  };
}

const patternFormat = (kind: 'date' | 'time', pattern: Literal | undefined): FieldFormat | null =>
  typeof pattern === 'string' ? { kind, pattern } : null;

const whole = (value: Literal | undefined, most: number) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most ? value : null;

/** Returns the displayed text, or null if the format does not accept the value. */
export function applyFormat(format: FieldFormat, text: string): FormattedText | null {
  if (text.trim() === '') return { text: '', red: false };
  switch (format.kind) {
    case 'number':
      return asNumber(format, text);
    case 'percent': {
      const value = readNumber(text, format.style);
      if (value === null) return null;
      const hundredfold = round(multiply(value, { units: 100n, scale: 0 }), format.decimals);
      const digits = writeNumber(hundredfold, format.decimals, format.style);
      const sign = hundredfold.units < 0n ? '-' : '';
      return plain(format.prepend ? `${sign}%${digits}` : `${sign}${digits}%`);
    }
    case 'date':
    case 'time': {
      const shown = formatAdobeDate(text, format.pattern, format.kind);
      return shown === null ? null : plain(shown);
    }
    case 'special':
      return asSpecial(format.special, text);
  }
}

const plain = (text: string): FormattedText => ({ text, red: false });

function asNumber(format: FieldFormat & { kind: 'number' }, text: string): FormattedText | null {
  const value = readNumber(text, format.style);
  if (value === null) return null;
  const rounded = round(value, format.decimals);
  const isNegative = rounded.units < 0n;
  const digits = writeNumber(rounded, format.decimals, format.style);
  const amount = format.prepend ? `${format.currency}${digits}` : `${digits}${format.currency}`;
  if (!isNegative) return plain(amount);
  const signed =
    format.negative === 'parentheses' ? `(${amount})` : format.negative === 'minus' ? `-${amount}` : amount;
  return { text: signed, red: format.red };
}

/** US postal codes, telephone and social security numbers, by Acrobat's number; 9 is a digit. */
const SPECIAL: readonly (readonly string[])[] = [
  ['99999'],
  ['99999-9999'],
  ['(999) 999-9999', '999-9999'],
  ['999-99-9999'],
];

function asSpecial(special: number, text: string): FormattedText | null {
  const digits = text.replace(/[\s().-]/g, '');
  if (!/^\d+$/.test(digits)) return null;
  for (const mask of SPECIAL[special] ?? []) {
    if (mask.replace(/[^9]/g, '').length !== digits.length) continue;
    let at = 0;
    return plain(mask.replace(/9/g, () => digits.charAt(at++)));
  }
  return null;
}
