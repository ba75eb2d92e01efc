import { isInexactInteger } from '#lib/inexact-integer.ts';

/** The types of custom fields, as the contract names them. */
export const FIELD_TYPES = [
  'Text',
  'Number',
  'Date',
  'Select (Dropdown)',
  'Single Select',
  'Multi Select',
  'Text Area',
  'Checkbox',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export const SELECT_TYPES: ReadonlySet<FieldType> = new Set([
  'Select (Dropdown)',
  'Single Select',
  'Multi Select',
]);

export interface Field {
  readonly id: string;
  readonly label: string;
  readonly type: FieldType;
  readonly options: readonly string[];
}

export type FieldValue = string | number | boolean | readonly string[];

/** `value` is undefined if the input is blank; the stored value is then kept. */
export type ParsedValue =
  | { readonly ok: true; readonly value: FieldValue | undefined }
  | { readonly ok: false; readonly code: 'value_invalid' | 'value_too_long'; readonly reason: string };

const MAX_TEXT_CHARS = 10_000;

/** Parses a value of a field. The rules for CSV cells and JSON are the same. */
export function parseFieldValue(field: Field, raw: unknown): ParsedValue {
  const input = typeof raw === 'string' ? raw.trim() : raw;
  if (input === undefined || input === null || input === '') return { ok: true, value: undefined };
  return readers[field.type](input, field.options);
}

type Reader = (input: unknown, options: readonly string[]) => ParsedValue;

const taken = (value: FieldValue): ParsedValue => ({ ok: true, value });
const invalid = (reason: string): ParsedValue => ({ ok: false, code: 'value_invalid', reason });

function text(input: unknown): ParsedValue {
  if (typeof input !== 'string' && typeof input !== 'number' && typeof input !== 'boolean')
    return invalid('must be text');
  // PostgreSQL's jsonb rejects an unpaired surrogate, which JSON can contain.
  const value = String(input).toWellFormed();
  if (value.includes('\0')) return invalid('must not contain NUL characters');
  if (value.length > MAX_TEXT_CHARS)
    return { ok: false, code: 'value_too_long', reason: `has more than ${MAX_TEXT_CHARS} characters` };
  return taken(value);
}

/** Decimal numbers with a point. `1,5` is rejected rather than read as 15. */
function number(input: unknown): ParsedValue {
  if (typeof input === 'string' && isInexactInteger(input))
    return invalid('has more digits than a number can store; use a text field');
  const value = typeof input === 'number' ? input : Number.NaN;
  const parsed =
    typeof input === 'string' && /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(input)
      ? Number(input)
      : value;
  return Number.isFinite(parsed)
    ? taken(parsed === 0 ? 0 : parsed)
    : invalid('must be a number such as 1234.5');
}

function date(input: unknown): ParsedValue {
  const found = typeof input === 'string' ? /^(\d{4})-(\d{2})-(\d{2})$/.exec(input) : null;
  if (found === null) return invalid('must be a date such as 2026-04-11');
  const [whole, year, month, day] = found;
  const made = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return made.toISOString().startsWith(whole) ? taken(whole) : invalid('is not a calendar date');
}

function oneOf(input: unknown, options: readonly string[]): ParsedValue {
  const option = typeof input === 'string' ? findOption(input, options) : undefined;
  return option === undefined ? invalid('is not one of the options') : taken(option);
}

function findOption(input: string, options: readonly string[]): string | undefined {
  const wanted = input.trim();
  return (
    options.find((option) => option === wanted) ??
    options.find((option) => option.toLowerCase() === wanted.toLowerCase())
  );
}

/** Splits a list or its text: one option, or several separated by `;` (by `,` if there is no `;`). */
function manyOf(input: unknown, options: readonly string[]): ParsedValue {
  if (typeof input === 'string') {
    const whole = findOption(input, options);
    if (whole !== undefined) return taken([whole]);
  }
  const parts = Array.isArray(input)
    ? input
    : typeof input === 'string'
      ? input.split(input.includes(';') ? ';' : ',').filter((part) => part.trim() !== '')
      : [undefined];
  if (parts.length === 0) return { ok: true, value: undefined };
  const found = parts.map((part) => (typeof part === 'string' ? findOption(part, options) : undefined));
  if (found.includes(undefined)) return invalid('contains a value that is not one of the options');
  const chosen = new Set(found);
  return taken(options.filter((option) => chosen.has(option)));
}

const YES = new Set(['true', 'yes', 'y', '1', 'on']);
const NO = new Set(['false', 'no', 'n', '0', 'off']);

function checkbox(input: unknown): ParsedValue {
  const word = String(input).toLowerCase();
  if (YES.has(word)) return taken(true);
  if (NO.has(word)) return taken(false);
  return invalid('must be true or false');
}

const readers: Readonly<Record<FieldType, Reader>> = {
  Text: text,
  'Text Area': text,
  Number: number,
  Date: date,
  'Select (Dropdown)': oneOf,
  'Single Select': oneOf,
  'Multi Select': manyOf,
  Checkbox: checkbox,
};

/** Formats a stored value as text; `parseFieldValue` reads the same value from it. */
export function fieldText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return Array.isArray(value) ? value.join(';') : String(value);
}
