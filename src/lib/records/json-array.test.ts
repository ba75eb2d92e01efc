import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonArraySplitter } from './json-array.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

function elements(text: string, chunk = text.length || 1, member?: string): string[] {
  const bytes = utf8(text);
  const found: string[] = [];
  const options = { name: 'The text', maxDepth: 5, tooDeep: 'refuse', ...(member && { member }) } as const;
  const splitter = new JsonArraySplitter(options, (start, end) =>
    found.push(new TextDecoder().decode(bytes.subarray(start, end)).trim()),
  );
  for (let at = 0; at < bytes.length; at += chunk) splitter.push(bytes.subarray(at, at + chunk));
  splitter.end();
  return found;
}

test('an array, alone or as a member, in any chunking: its elements', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(fc.array(value), fc.integer({ min: 1, max: 20 }), fc.boolean(), (values, chunk, alone) => {
      const text = JSON.stringify(alone ? values : { rows: values }, null, 1);
      const found = elements(text, chunk, alone ? undefined : 'rows');
      expect(found.map((element) => JSON.parse(element))).toEqual(JSON.parse(JSON.stringify(values)));
    }),
  );
});

test.each([
  ['', 'The text is empty.'],
  [' \n', 'The text is empty.'],
  ['{}', 'The text is not an array of objects.'],
  ['{"a":[]}', 'The text is not an array of objects.'],
  ['[1', 'The text ends inside the array.'],
  ['[1]]', 'The text must end after the array: it must be an array of objects and nothing else.'],
  ['[1,]', 'The text has a comma without an element.'],
  ['[}]', 'The text has a closing bracket too many.'],
  ['[[[[[[[]]]]]]]', 'The text is nested more than 6 levels deep.'],
])('%j: %s', (text, message) => {
  for (const chunk of [1, 100]) expect(() => elements(text, chunk)).toThrow(message);
});

test('an open element: its bytes so far are reported', () => {
  const splitter = new JsonArraySplitter({ name: 'x', maxDepth: 9, tooDeep: 'mark' }, () => undefined);
  splitter.push(utf8('[1, {"a":'));
  expect(splitter.openBytes).toBe(5);
  splitter.push(utf8('2}, '));
  expect(splitter.openBytes).toBe(0);
});
