import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextMemberSplitter, UnreadableBody } from './text-member-splitter.ts';

function split(body: string, size: number) {
  const splitter = new TextMemberSplitter('csv_text');
  let text = '';
  for (let at = 0; at < body.length; at += size) text += splitter.push(body.slice(at, at + size));
  splitter.end();
  return { text, rest: splitter.rest, hasText: splitter.hasText };
}

describe('a large text member of a JSON body', () => {
  test('[LIM47] any body in any pieces: the member and the rest match JSON.parse', () => {
    const others = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }), {
      maxKeys: 4,
    });
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(others, text, fc.integer({ min: 1, max: 20 }), fc.boolean(), (rest, value, size, first) => {
        const { csv_text: _, ...other } = rest as Record<string, unknown>;
        const body = JSON.stringify(
          first ? { csv_text: value, ...other } : { ...other, nested: { csv_text: 'kept' }, csv_text: value },
        );
        const result = split(body, size);
        expect(result.text).toBe(value);
        expect(result.hasText).toBe(value !== '');
        const parsed = JSON.parse(result.rest) as Record<string, unknown>;
        expect(parsed.csv_text).toBe(value === '' ? '' : 'x');
        expect({ ...parsed, csv_text: value }).toEqual(JSON.parse(body));
      }),
    );
  });

  test.each([
    ['{"csv\\u005ftext" : "a\\ud83d\\ude00\\n\\"b\\u00e9"}', 'a😀\n"bé'],
    ['{"csv_text":"\\ud83d alone"}', '\ud83d alone'],
    [' [1,{"csv_text":"not at the top"}]', ''],
    ['{"csv_text":null}', ''],
    ['{"csv_text":["csv_text","x"]}', ''],
    ['{"a":"csv_text","b":"csv_text"}', ''],
  ])('[LIM47] the body %s: text is read only from the top-level member', (body, text) => {
    for (const size of [1, 2, 3, 7, 1000]) expect(split(body, size).text).toBe(text);
  });

  test.each([
    ['{"csv_text":"a', /is not valid JSON/],
    ['{"csv_text":"a\\x"}', /is not valid JSON/],
    ['{"csv_text":"a\\u12g4"}', /is not valid JSON/],
    ['{"csv_text":"a\nb"}', /is not valid JSON/],
    ['{"csv_text":"a","csv_text":"b"}', /has csv_text twice/],
  ])('[LIM47] %s: is refused', (body, reason) => {
    for (const size of [1, 1000]) {
      expect(() => split(body, size)).toThrow(UnreadableBody);
      expect(() => split(body, size)).toThrow(reason);
    }
  });
});
