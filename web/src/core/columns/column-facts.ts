import { parseDatePattern, readDate, readIsoDate } from '#fill/format/date-pattern.ts';
import { readDecimal } from '#fill/format/read-decimal.ts';
import type { ColumnInput } from '#fill/package/column-input-schema.ts';

/**
 * How the values of a column are written: how many there are, and how many can be read in each way. A way is `.` or `,` (a number
 * with that decimal sign), `iso`, or a date pattern. Counted by the engine's own readers.
 */
export interface ColumnFacts {
  readonly filled: number;
  readonly fits: Readonly<Record<string, number>>;
  /** Values such as `1,234` that are different numbers with the other decimal sign. */
  readonly unclearNumbers: number;
  /** Values such as `00123`, which are numbers for a format but mostly ids. */
  readonly leadingZeros: number;
  readonly decimals: number;
}

const ORDERS = ['DD.MM.YYYY', 'MM.DD.YYYY', 'YYYY.MM.DD', 'DD.MM.YY', 'MM.DD.YY'];
const SEPARATORS = ['.', '/', '-'];

/** The date patterns that are detected and offered, by their separator. */
const PATTERNS = new Map(
  SEPARATORS.map((separator) => [
    separator,
    ORDERS.map((order) => order.replaceAll('.', separator)).map((pattern) => {
      const parsed = parseDatePattern(pattern);
      if (!parsed.ok) throw new Error(`bug: ${pattern} is not a date pattern`);
      return { pattern, parts: parsed.parts };
    }),
  ]),
);
export const DATE_PATTERNS = [...PATTERNS.values()].flatMap((list) => list.map(({ pattern }) => pattern));

const DATE = /^(?:[0-9]{1,2}([./-])[0-9]{1,2}\1(?:[0-9]{4}|[0-9]{2})|[0-9]{4}([./-])[0-9]{1,2}\2[0-9]{1,2})$/;
const YEAR_FIRST = /^[0-9]{4}/;
const TWO_DIGIT_YEAR = /[./-][0-9]{2}$/;
const LONGEST = 100;
const WHOLE = /^[0-9]+$/;
const ISO_START = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/;
const NUMBER_LIKE = /^[+\-\u2212]?[0-9][0-9.,'’\s]*(?:[eE][+-]?[0-9]+)?$/;

/** Counts the values of one column. */
export class ColumnCounter {
  #filled = 0;
  readonly #fits: Record<string, number> = {};
  #unclearNumbers = 0;
  #leadingZeros = 0;
  #decimals = 0;

  see(cell: string): void {
    if (cell === '') return;
    // Nearly all texts begin with a letter, which neither a number nor one of these dates does.
    const first = cell.charCodeAt(0);
    const isLetter = (first >= 0x41 && first <= 0x5a) || (first >= 0x61 && first <= 0x7a);
    if (isLetter || cell.length > LONGEST) {
      this.#filled += 1;
      return;
    }
    const text = cell.trim();
    if (text === '') return;
    this.#filled += 1;
    // Most numbers are whole, and no text in the form of a date is a number: both save the slower readers.
    if (WHOLE.test(text)) {
      this.#fit('.');
      this.#fit(',');
      if (text.length > 1 && text.startsWith('0')) this.#leadingZeros += 1;
    } else if (ISO_START.test(text) || DATE.test(text)) this.#seeDate(text);
    else if (NUMBER_LIKE.test(text)) this.#seeNumber(text);
  }

  facts(): ColumnFacts {
    return {
      filled: this.#filled,
      fits: this.#fits,
      unclearNumbers: this.#unclearNumbers,
      leadingZeros: this.#leadingZeros,
      decimals: this.#decimals,
    };
  }

  #fit(way: string): void {
    this.#fits[way] = (this.#fits[way] ?? 0) + 1;
  }

  #seeNumber(text: string): void {
    const point = readDecimal(text, '.');
    const comma = readDecimal(text, ',');
    if (point !== null) this.#fit('.');
    if (comma !== null) this.#fit(',');
    if (point === null && comma === null) return;
    if (/^[+-]?0[0-9]/.test(text)) this.#leadingZeros += 1;
    if (/[.,]/.test(text)) this.#decimals += 1;
    if (
      point !== null &&
      comma !== null &&
      (point.whole !== comma.whole || point.fraction !== comma.fraction)
    )
      this.#unclearNumbers += 1;
  }

  #seeDate(text: string): void {
    if (readIsoDate(text) !== null) {
      this.#fit('iso');
      return;
    }
    const found = DATE.exec(text);
    if (found === null) return;
    const yearFirst = YEAR_FIRST.test(text);
    const twoDigits = !yearFirst && TWO_DIGIT_YEAR.test(text);
    for (const { pattern, parts } of PATTERNS.get(found[1] ?? found[2] ?? '') ?? []) {
      // The reader takes two digits for a year of four, too.
      const fitsYear = yearFirst
        ? pattern.startsWith('YYYY')
        : !pattern.startsWith('YYYY') && pattern.endsWith('YYYY') !== twoDigits;
      if (fitsYear && readDate(text, parts) !== null) this.#fit(pattern);
    }
  }
}

/** What the values say about their type. `unclear`: they can be read in several ways that mean different things. */
export type DetectedType =
  | { readonly type: 'blank' | 'text' | 'whole' | 'iso' }
  | { readonly type: 'number'; readonly decimal: '.' | ',' }
  | { readonly type: 'date'; readonly pattern: string }
  | { readonly type: 'unclear'; readonly choices: readonly ColumnInput[] };

/** A column has a type if at least nine of ten values fit it. */
const MOST = 0.9;

export function detectType(facts: ColumnFacts): DetectedType {
  const { filled, fits } = facts;
  if (filled === 0) return { type: 'blank' };
  const isMost = (count: number) => count >= filled * MOST;
  const iso = fits.iso ?? 0;
  if (isMost(iso)) return { type: 'iso' };
  const best = Math.max(0, ...DATE_PATTERNS.map((pattern) => fits[pattern] ?? 0));
  if (best > 0 && isMost(best + iso)) {
    const patterns = DATE_PATTERNS.filter((pattern) => fits[pattern] === best && !isOdd(pattern));
    const [pattern] = patterns;
    if (pattern !== undefined && patterns.length === 1) return { type: 'date', pattern };
    return { type: 'unclear', choices: patterns.map((each) => ({ type: 'date', pattern: each })) };
  }
  return numberType(facts, isMost) ?? { type: 'text' };
}

/** Dates with dots begin with the day wherever they are written, so month.day.year is only a choice by hand. */
const isOdd = (pattern: string) => pattern.startsWith('MM.');

function numberType(
  { fits, unclearNumbers, leadingZeros, decimals }: ColumnFacts,
  isMost: (count: number) => boolean,
): DetectedType | null {
  const point = fits['.'] ?? 0;
  const comma = fits[','] ?? 0;
  if (leadingZeros > 0 || !isMost(Math.max(point, comma))) return null;
  if (decimals === 0) return { type: 'whole' };
  if (point !== comma) return { type: 'number', decimal: point > comma ? '.' : ',' };
  if (unclearNumbers === 0) return { type: 'number', decimal: '.' };
  return {
    type: 'unclear',
    choices: [
      { type: 'number', decimal: '.' },
      { type: 'number', decimal: ',' },
    ],
  };
}

/** Values that cannot be read as `input`. Dates in ISO 8601 are always read. */
export function misfits({ filled, fits }: ColumnFacts, input: ColumnInput): number {
  if (input.type === 'text') return 0;
  if (input.type === 'number') return filled - (fits[input.decimal] ?? 0);
  return filled - (fits[input.pattern] ?? 0) - (fits.iso ?? 0);
}

/** What a layout must declare so that the engine reads the column: numbers and ISO dates need nothing. */
export function inputToDeclare(facts: ColumnFacts): ColumnInput | undefined {
  const found = detectType(facts);
  return found.type === 'date' ? { type: 'date', pattern: found.pattern } : undefined;
}
