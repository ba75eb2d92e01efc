import {
  type CalendarDate,
  type DatePatternPart,
  readDate,
  readIsoDate,
  writeDate,
} from '#fill/format/date-pattern.ts';

/**
 * Formats dates like Acrobat's AFDate_FormatEx and AFTime_FormatEx. Months are `m`, minutes `M`, `tt` is am or pm, and a
 * backslash makes the next character literal. Names are English.
 */
const TOKENS = /\\(.)|yyyy|yy|mmmm|mmm|mm|m|dddd|ddd|dd|d|HH|H|hh|h|MM|M|ss|s|tt|t|[^\\ymdHhMst]+|[\s\S]/g;

type Part = DatePatternPart | { readonly own: 'M' | 's' | 't' | 'tt' };

const OURS: Readonly<Record<string, DatePatternPart>> = {
  yyyy: { token: 'YYYY' },
  yy: { token: 'YY' },
  mmmm: { token: 'MMMM' },
  mmm: { token: 'MMM' },
  mm: { token: 'MM' },
  m: { token: 'M' },
  dddd: { token: 'dddd' },
  ddd: { token: 'ddd' },
  dd: { token: 'DD' },
  d: { token: 'D' },
  HH: { token: 'HH' },
  H: { token: 'H' },
  hh: { token: 'hh' },
  h: { token: 'h' },
  MM: { token: 'mm' },
  ss: { token: 'ss' },
};

function partsOf(pattern: string): Part[] {
  return [...pattern.matchAll(TOKENS)].map(([text, escaped]): Part => {
    if (escaped !== undefined) return { text: escaped };
    if (text === 'M' || text === 's' || text === 't' || text === 'tt') return { own: text };
    return OURS[text] ?? { text };
  });
}

/** Returns the formatted date, or null if `text` is neither ISO 8601 nor already in the pattern's form. */
export function formatAdobeDate(text: string, pattern: string, kind: 'date' | 'time'): string | null {
  const parts = partsOf(pattern);
  const date =
    readIsoDate(text) ?? readDate(text, parts.map(forReading)) ?? (kind === 'time' ? timeOf(text) : null);
  return date === null ? null : parts.map((part) => write(date, part)).join('');
}

const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/;

/** Reads a time without a date, because time patterns show no day. */
function timeOf(text: string): CalendarDate | null {
  const match = TIME.exec(text.trim());
  const [hour = 0, minute = 0, second = 0] = match?.slice(1).map((part?: string) => Number(part ?? 0)) ?? [];
  if (match === null || hour > 23 || minute > 59 || second > 59) return null;
  return { year: 1970, month: 1, day: 1, hour, minute, second };
}

function forReading(part: Part): DatePatternPart {
  if (!('own' in part)) return part;
  return { token: part.own === 'M' ? 'mm' : part.own === 's' ? 'ss' : 'A' };
}

function write(date: CalendarDate, part: Part): string {
  if (!('own' in part)) return writeDate(date, [part]);
  switch (part.own) {
    case 'M':
      return String(date.minute);
    case 's':
      return String(date.second);
    case 't':
      return date.hour < 12 ? 'a' : 'p';
    case 'tt':
      return date.hour < 12 ? 'am' : 'pm';
  }
}

/** The patterns behind the numbers of AFDate_Format and AFTime_Format. */
export const DATE_PATTERNS: readonly string[] = [
  'm/d',
  'm/d/yy',
  'mm/dd/yy',
  'mm/yy',
  'd-mmm',
  'd-mmm-yy',
  'dd-mmm-yy',
  'yy-mm-dd',
  'mmm-yy',
  'mmmm-yy',
  'mmm d, yyyy',
  'mmmm d, yyyy',
  'm/d/yy h:MM tt',
  'm/d/yy HH:MM',
];
export const TIME_PATTERNS: readonly string[] = ['HH:MM', 'h:MM tt', 'HH:MM:ss', 'h:MM:ss tt'];
