import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RawMemberSplitter } from './raw-member-splitter.ts';

/** Splits a text into chunks of at most `size` bytes and returns the member and the rest. */
function split(text: string, size: number) {
  const splitter = new RawMemberSplitter('rows');
  const bytes = Buffer.from(text);
  const taken: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size)
    for (const piece of splitter.push(bytes.subarray(at, at + size))) taken.push(Uint8Array.from(piece));
  return {
    rows: Buffer.concat(taken).toString(),
    rest: splitter.rest().toString(),
    names: splitter.names,
  };
}

test('[BF145] any object in chunks of any size: the rows keep their bytes, and the rest is the object without them', () => {
  const object = fc.record({
    before: fc.dictionary(fc.string(), fc.jsonValue()),
    rows: fc.array(fc.jsonValue()),
    after: fc.dictionary(fc.string(), fc.jsonValue()),
    spaces: fc.constantFrom(undefined, 1, '\t'),
  });
  fc.assert(
    fc.property(object, fc.integer({ min: 1, max: 50 }), ({ before, rows, after, spaces }, size) => {
      const members = [
        ...Object.entries(before).map(([key, value]) => [`a${key}`, value] as const),
        ['rows', rows] as const,
        ...Object.entries(after).map(([key, value]) => [`z${key}`, value] as const),
      ];
      const written = members.map(
        ([key, value]) => `${JSON.stringify(key)} : ${JSON.stringify(value, null, spaces)}`,
      );
      const found = split(`{${written.join(' , ')}}`, size);
      expect(found.rows).toBe(JSON.stringify(rows, null, spaces));
      expect(found.names).toEqual(members.map(([key]) => key));
      const expected = Object.fromEntries(members.map(([key, value]) => [key, key === 'rows' ? [] : value]));
      expect(JSON.parse(found.rest)).toEqual(JSON.parse(JSON.stringify(expected)));
    }),
  );
});

test('[BF145] a nested member, a text and an escaped name: only the array of the object itself is taken', () => {
  expect(split('{"a":{"rows":[1]},"rows":"[2]"}', 3)).toEqual({
    rows: '',
    rest: '{"a":{"rows":[1]},"rows":"[2]"}',
    names: ['a', 'rows'],
  });
  expect(split('{"r\\u006fws":[1.50]}', 4)).toEqual({
    rows: '[1.50]',
    rest: '{"r\\u006fws":[]}',
    names: ['rows'],
  });
});
