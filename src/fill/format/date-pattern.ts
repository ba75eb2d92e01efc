import { type DateLanguage, dateNames, MONTH_MEANINGS, WEEKDAY_MEANINGS } from './date-names.ts';

/**
 * Formats dates without Intl and without time zones: a date is never shifted.
 *
 * Tokens: `YYYY` `YY` year · `MMMM` `MMM` month name · `MM` `M` month · `DD` `D` day · `dddd` `ddd` weekday name ·
 * `HH` `H` hour 0–23 · `hh` `h` hour 1–12 · `mm` minute · `ss` second · `A` AM/PM. Text in square brackets is literal; any
 * other letter is rejected, so that reading the layout reports a misspelt token.
 *
 * Values are read as ISO 8601 (`2026-02-28`, optionally with `T` or a space and a time, whose zone is ignored), or by an
 * `input` pattern of the same tokens. Names are read in every language of date-names.ts, long or short, in upper or lower
 * case, with or without a dot; they are written in the language of the format.
 */
const TOKENS = [
  'YYYY',
  'MMMM',
  'dddd',
  'MMM',
  'ddd',
  'YY',
  'MM',
  'DD',
  'HH',
  'hh',
  'mm',
  'ss',
  'M',
  'D',
  'H',
  'h',
  'A',
] as const;

type Token = (typeof TOKENS)[number];
export type DatePatternPart = { readonly token: Token } | { readonly text: string };
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export function parseDatePattern(
  pattern: string,
): { readonly ok: true; readonly parts: readonly DatePatternPart[] } | { readonly ok: false } {
  const parts: DatePatternPart[] = [];
  let at = 0;
  while (at < pattern.length) {
    const char = pattern.charAt(at);
    if (char === '[') {
      const close = pattern.indexOf(']', at);
      if (close < 0) return { ok: false };
      parts.push({ text: pattern.slice(at + 1, close) });
      at = close + 1;
      continue;
    }
    const token = TOKENS.find((candidate) => pattern.startsWith(candidate, at));
    if (token !== undefined) {
      parts.push({ token });
      at += token.length;
    } else if (/[A-Za-z]/.test(char)) {
      return { ok: false };
    } else {
      parts.push({ text: char });
      at += 1;
    }
  }
  return parts.some((part) => 'token' in part) ? { ok: true, parts } : { ok: false };
}

const ISO =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2})(?::([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]+)?)?)?(?:[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?)?$/;

export function readIsoDate(text: string): CalendarDate | null {
  const match = ISO.exec(text.trim());
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((group: string | undefined) => Number(group ?? 0));
  return onCalendar({ year, month, day, hour, minute, second });
}

type Member = keyof CalendarDate | 'weekday' | 'half';
interface TokenReading {
  readonly member: Member;
  /** The maximum number of digits, or the accepted names. */
  readonly take: number | readonly (readonly [name: string, index: number])[];
  readonly add?: number;
}

const MONTH_NAME: TokenReading = { member: 'month', take: MONTH_MEANINGS, add: 1 };
const WEEKDAY_NAME: TokenReading = { member: 'weekday', take: WEEKDAY_MEANINGS };
const READINGS: Readonly<Record<Token, TokenReading>> = {
  YYYY: { member: 'year', take: 4 },
  YY: { member: 'year', take: 2, add: 2000 },
  MMMM: MONTH_NAME,
  MMM: MONTH_NAME,
  MM: { member: 'month', take: 2 },
  M: { member: 'month', take: 2 },
  DD: { member: 'day', take: 2 },
  D: { member: 'day', take: 2 },
  dddd: WEEKDAY_NAME,
  ddd: WEEKDAY_NAME,
  HH: { member: 'hour', take: 2 },
  H: { member: 'hour', take: 2 },
  hh: { member: 'hour', take: 2 },
  h: { member: 'hour', take: 2 },
  mm: { member: 'minute', take: 2 },
  ss: { member: 'second', take: 2 },
  A: {
    member: 'half',
    take: [
      ['am', 0],
      ['pm', 1],
    ],
  },
};

/** Reads `text` by an input pattern. Returns null if it does not match or the date does not exist. */
export function readDate(text: string, parts: readonly DatePatternPart[]): CalendarDate | null {
  const read: Record<Member, number> = {
    year: 0,
    month: 1,
    day: 1,
    hour: 0,
    minute: 0,
    second: 0,
    weekday: 0,
    half: -1,
  };
  let rest = text.trim().normalize('NFC');
  let named = false;
  for (const part of parts) {
    if ('text' in part) {
      // A name includes the dot after it, so a dot in the pattern may already be consumed.
      const literal =
        named && part.text.startsWith('.') && !rest.startsWith('.') ? part.text.slice(1) : part.text;
      if (!rest.startsWith(literal)) return null;
      rest = rest.slice(literal.length);
      named = false;
      continue;
    }
    const { member, take, add = 0 } = READINGS[part.token];
    named = typeof take !== 'number';
    const taken = typeof take === 'number' ? takeDigits(rest, take) : takeName(rest, take);
    if (taken === null) return null;
    read[member] = taken.value + add;
    rest = rest.slice(taken.length);
  }
  if (rest !== '') return null;
  const { weekday: _, half, ...date } = read;
  return onCalendar(half < 0 ? date : { ...date, hour: (date.hour % 12) + 12 * half });
}

function takeDigits(text: string, most: number): { value: number; length: number } | null {
  const digits = /^[0-9]+/.exec(text)?.[0].slice(0, most);
  return digits === undefined ? null : { value: Number(digits), length: digits.length };
}

function takeName(
  text: string,
  names: readonly (readonly [name: string, index: number])[],
): { value: number; length: number } | null {
  const lower = text.toLowerCase();
  const found = names.find(([name]) => lower.startsWith(name));
  if (found === undefined) return null;
  const [{ length }, value] = found;
  return { value, length: text.charAt(length) === '.' ? length + 1 : length };
}

export function writeDate(
  date: CalendarDate,
  parts: readonly DatePatternPart[],
  language: DateLanguage = 'en',
): string {
  const besideDay = parts.some((part) => 'token' in part && (part.token === 'D' || part.token === 'DD'));
  let text = '';
  for (const part of parts)
    text += 'text' in part ? part.text : written(date, part.token, language, besideDay);
  return text;
}

function written(date: CalendarDate, token: Token, language: DateLanguage, besideDay: boolean): string {
  switch (token) {
    case 'YYYY':
      return String(date.year).padStart(4, '0');
    case 'YY':
      return two(date.year % 100);
    case 'MMMM': {
      const { months, monthsAfterDay } = dateNames(language);
      return (besideDay ? monthsAfterDay : months)[date.month - 1] ?? '';
    }
    case 'MMM':
      return dateNames(language).shortMonths[date.month - 1] ?? '';
    case 'MM':
      return two(date.month);
    case 'M':
      return String(date.month);
    case 'DD':
      return two(date.day);
    case 'D':
      return String(date.day);
    case 'dddd':
      return dateNames(language).weekdays[weekdayOf(date)] ?? '';
    case 'ddd':
      return dateNames(language).shortWeekdays[weekdayOf(date)] ?? '';
    case 'HH':
      return two(date.hour);
    case 'H':
      return String(date.hour);
    case 'hh':
      return two(twelve(date));
    case 'h':
      return String(twelve(date));
    case 'mm':
      return two(date.minute);
    case 'ss':
      return two(date.second);
    case 'A':
      return date.hour < 12 ? 'AM' : 'PM';
  }
}

const two = (value: number) => (value < 10 ? `0${value}` : String(value));
const twelve = ({ hour }: CalendarDate) => (hour % 12 === 0 ? 12 : hour % 12);

function onCalendar(date: CalendarDate): CalendarDate | null {
  const leap = (date.year % 4 === 0 && date.year % 100 !== 0) || date.year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][date.month - 1] ?? 0;
  const valid = date.day >= 1 && date.day <= days && date.hour < 24 && date.minute < 60 && date.second < 61;
  return valid ? date : null;
}

/** Sakamoto's method for the Gregorian calendar: 0 is Sunday. */
function weekdayOf({ year, month, day }: CalendarDate): number {
  const y = month < 3 ? year - 1 : year;
  const shift = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][month - 1] ?? 0;
  const sum = y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + shift + day;
  return ((sum % 7) + 7) % 7;
}
