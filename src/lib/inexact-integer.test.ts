import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInexactInteger } from './inexact-integer.ts';

test.each([
  '12345678901234567890',
  '-9007199254740993',
  '+9007199254740993',
  '99999999999999999999',
  '12345678901234567890123',
])('[SUB62] [ING16] %s: loses digits', (text) => expect(isInexactInteger(text)).toBe(true));

test.each([
  '9007199254740992',
  '0009007199254740991',
  '9007199254740993000',
  '1e400',
  '0.1234567890123456789',
  '',
  'abc',
])('[SUB62] [ING16] %s: keeps its digits, or is not an integer', (text) =>
  expect(isInexactInteger(text)).toBe(false),
);

test('[ING16] any number that JavaScript writes: keeps its digits', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => {
      expect(isInexactInteger(String(n))).toBe(false);
    }),
  );
});
