import { describe, expect, test } from 'vitest';
import { FIELD_TYPES, type Field, fieldText, parseFieldValue } from '../fields/field-value.ts';
import { parseEmail } from '../people/email.ts';
import { isSuperseded, LastRows } from './last-rows.ts';
import { readRow } from './row-plan.ts';

const field = (type: Field['type'], options: readonly string[] = []): Field => ({
  id: 'f',
  label: 'F',
  type,
  options,
});
const choices = ['Gold', 'Silver', 'Paris, France'];

describe('[SUB62] values of custom fields', () => {
  test.each([
    ['Text', [], ' hello ', 'hello'],
    ['Number', [], '1.50', 1.5],
    ['Number', [], -0, 0],
    ['Date', [], '2026-02-28', '2026-02-28'],
    ['Single Select', choices, 'gold', 'Gold'],
    ['Select (Dropdown)', choices, 'Silver', 'Silver'],
    ['Multi Select', choices, 'Silver;gold', ['Gold', 'Silver']],
    ['Multi Select', choices, 'silver, gold', ['Gold', 'Silver']],
    ['Multi Select', choices, 'Paris, France', ['Paris, France']],
    ['Multi Select', choices, ['Gold'], ['Gold']],
    ['Checkbox', [], 'YES', true],
    ['Checkbox', [], '0', false],
    ['Text Area', [], 'a\nb', 'a\nb'],
  ] as const)('%s %j takes %j', (type, options, raw, value) => {
    const parsed = parseFieldValue(field(type, options), raw);
    expect(parsed).toEqual({ ok: true, value });
    // An import reads what an export writes.
    expect(parseFieldValue(field(type, options), fieldText(value))).toEqual(parsed);
  });

  test.each([
    ['Number', [], '1,5'],
    ['Number', [], '0x10'],
    ['Number', [], 'NaN'],
    ['Date', [], '2026-02-30'],
    ['Date', [], '28.02.2026'],
    ['Single Select', choices, 'Bronze'],
    ['Multi Select', choices, 'Gold;Bronze'],
    ['Checkbox', [], 'maybe'],
    ['Text', [], 'x'.repeat(10_001)],
    ['Text', [], { a: 1 }],
  ] as const)('%s %j refuses %j', (type, options, raw) => {
    expect(parseFieldValue(field(type, options), raw).ok).toBe(false);
  });

  test.each(FIELD_TYPES)('a blank %s: keeps the stored value', (type) => {
    for (const raw of ['', '  ', null, undefined])
      expect(parseFieldValue(field(type, choices), raw)).toEqual({ ok: true, value: undefined });
  });
});

describe('[SUB24] emails', () => {
  test.each([
    'ada@example.com',
    ' Ada@Example.COM ',
    "o'neil+tag@sub.example.co.uk",
    'jörg@müller.de',
    '+a@b.co',
  ])('%j', (text) => {
    expect(parseEmail(text)).toEqual({ address: text.trim(), key: text.trim().toLowerCase() });
  });

  test.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'a b@example.com',
    'ada@localhost',
    'a..b@example.com',
    '.a@example.com',
    'a.@example.com',
    'ada@example..com',
    'ada@-x.com',
    'a@b@c.com',
    `${'x'.repeat(65)}@example.com`,
    `a@${'x.'.repeat(130)}com`,
    'a\u0000@example.com',
  ])('%j: is not an email address', (text) => {
    expect(parseEmail(text)).toBeUndefined();
  });
});

test('[SUB24] one invalid cell: fails the row and names the column', () => {
  const plan = { email: 0, name: 1, country: 2, status: 3, fields: [{ column: 4, field: field('Number') }] };
  const code = (...cells: string[]) => {
    const read = readRow(plan, cells);
    return read.ok ? 'ok' : `${read.problem.column} ${read.problem.code}`;
  };
  expect(code('a@b.co')).toBe('ok');
  expect(code('a@b.co', 'Ann', 'de', 'active', '7')).toBe('ok');
  expect(code('a@b.co', '', 'Germany')).toBe('ok');
  expect(code('')).toBe('0 email_missing');
  expect(code('nobody')).toBe('0 email_invalid');
  expect(code('a@b.co', 'x'.repeat(5_000_000))).toBe('1 value_too_long');
  expect(code('a@b.co', '', 'Atlantis')).toBe('2 country_invalid');
  expect(code('a@b.co', '', 'ZZ')).toBe('2 country_invalid');
  expect(code('a@b.co', '', '', 'Happy')).toBe('3 status_invalid');
  expect(code('a@b.co', '', '', '', 'seven')).toBe('4 value_invalid');
});

test('[SUB25] several rows with the same key: all but the last are superseded, at any table load', () => {
  const rows = 5_000;
  const keys = Array.from({ length: rows }, (_, i) => `k${(i * 31) % 1_700}`);
  const last = new LastRows(rows);
  for (const [row, key] of keys.entries()) last.note(key, row);
  const lastOf = new Map(keys.map((key, row) => [key, row]));
  const expected = keys.map((key, row) => lastOf.get(key) !== row);
  expect(keys.map((_, row) => isSuperseded(last.superseded, row))).toEqual(expected);
  expect(last.count).toBe(rows - lastOf.size);
});
