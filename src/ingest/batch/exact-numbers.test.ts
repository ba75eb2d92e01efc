import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refuseInexactIntegers } from './exact-numbers.ts';

test.each([
  ['[12345678901234567890]', '[1e999]'],
  ['{"a":-12345678901234567890,"b":1}', '{"a":-1e999,"b":1}'],
  ['[9007199254740993000, 9007199254740993]', '[9007199254740993000, 1e999]'],
  [
    '["12345678901234567890","\\"12345678901234567890"]',
    '["12345678901234567890","\\"12345678901234567890"]',
  ],
  ['[1.2345678901234567890, 12345678901234567890e2]', '[1.2345678901234567890, 12345678901234567890e2]'],
  ['["x", 12345678901234567891', '["x", 1e999'],
])('[ING16] %s: is read as %s', (json, expected) => {
  expect(refuseInexactIntegers(json)).toBe(expected);
});

test('[ING16] JSON whose integers are all exact: is unchanged', () => {
  const exact = fc.json().filter((json) => !/\d{16}/.test(json));
  fc.assert(
    fc.property(exact, (json) => {
      const text = `${json} 1234567890123456`;
      expect(refuseInexactIntegers(text)).toBe(text);
    }),
  );
});
