import { describe, expect, it } from 'vitest';
import { rowPassword } from './row-password.ts';

const outcome = (cell: Parameters<typeof rowPassword>[0]) => {
  const found = rowPassword(cell, 'column_7');
  return 'error' in found ? found.error.code : Buffer.from(found.password).toString();
};

describe('the password of a row', () => {
  it.each([
    ['plain', 'plain'],
    [' spaces stay ', ' spaces stay '],
    ['non\u00a0breaking', 'non breaking'],
    ['soft\u00adhyphen', 'softhyphen'],
    ['\u2168 \ufb01', 'IX fi'],
    ['e\u0301', '\u00e9'],
    ['x'.repeat(127), 'x'.repeat(127)],
  ])('[FILL251] %j: is prepared as %j', (cell, expected) => {
    expect(outcome(cell)).toBe(expected);
  });

  it.each([
    [undefined, 'ROW_PASSWORD_BLANK'],
    [null, 'ROW_PASSWORD_BLANK'],
    ['', 'ROW_PASSWORD_BLANK'],
    [' \t', 'ROW_PASSWORD_BLANK'],
    ['\u00ad', 'ROW_PASSWORD_BLANK'],
    [{ json: '{}' }, 'ROW_VALUE_INVALID'],
    ['é'.repeat(64), 'ROW_PASSWORD_TOO_LONG'],
    ['a\u0000', 'ROW_PASSWORD_INVALID'],
    ['\ud800', 'ROW_PASSWORD_INVALID'],
    ['a\u202eb', 'ROW_PASSWORD_INVALID'],
  ])('[FILL251] %j: fails the row with %s', (cell, code) => {
    expect(outcome(cell)).toBe(code);
  });
});
