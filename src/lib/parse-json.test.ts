import { expect, test, vi } from 'vitest';
import { parseJson } from './parse-json.ts';

const parse = (text: string) => parseJson(Buffer.from(text));

test('[HTTP9] nesting of 32: accepted; 33, or enough to overflow the stack: rejected', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(parse(nested(32)).ok).toBe(true);
  expect(parse(nested(33))).toEqual({ ok: false, reason: 'is nested more than 32 deep' });
  expect(parse(nested(100_000)).ok).toBe(false);
});

test('[HTTP9] brackets and quotes inside strings: do not count as nesting', () => {
  const text = JSON.stringify({ a: '['.repeat(100), b: '\\"['.repeat(50), 'c\\': '{'.repeat(40) });
  expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
});

test('[HTTP9] a member named __proto__, even with escapes: rejected; the text as a value: accepted', () => {
  expect(parse('{"a":{"__proto__":{"x":1}}}')).toEqual({ ok: false, reason: 'has a member named __proto__' });
  expect(parse('{"\\u005f_proto__":1}').ok).toBe(false);
  expect(parse('{"a":"__proto__"}')).toEqual({ ok: true, value: { a: '__proto__' } });
  expect(parse('{"constructor":1,"prototype":2}').ok).toBe(true);
});

test('[HTTP9] __proto__ with any of its letters escaped, at any depth: refused', () => {
  for (const letter of ['_', 'p', 'r', 'o', 't'])
    for (const hex of [letter.charCodeAt(0).toString(16), letter.charCodeAt(0).toString(16).toUpperCase()]) {
      const name = '__proto__'.replace(letter, `\\u00${hex}`);
      expect([name, parse(`[1,{"a":[{"${name}":1}]}]`).ok]).toEqual([name, false]);
    }
  expect(parse('{"a":"\\u00e9","\\u0070":["\\u005f"]}')).toEqual({ ok: true, value: { a: 'é', p: ['_'] } });
});

test('[HTTP9] many members: no member is visited with a callback', () => {
  const parsed = vi.spyOn(JSON, 'parse');
  expect(parse('{"\\u0070":1,"b":[2,3]}').ok).toBe(true);
  expect(parsed.mock.calls.map((args) => args.length)).toEqual([1]);
});

test('[HTTP9] broken JSON and invalid UTF-8: rejected with a reason that does not quote input', () => {
  expect(parse('{"secret":')).toEqual({ ok: false, reason: 'is not valid JSON' });
  expect(parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({ ok: false, reason: 'is not UTF-8' });
  expect(parse('').ok).toBe(false);
  expect(parse('"open').ok).toBe(false);
});
