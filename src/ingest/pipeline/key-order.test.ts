import { expect, test } from 'vitest';
import { areDistinct, inKeyOrder } from './key-order.ts';

const keyed = (...ids: string[]) => ids.map((sourceId) => ({ sourceId }));

test('[ING19] items in any order: are sorted by the bytes of their key, even if UTF-16 sorts differently', () => {
  // U+1F600 is encoded as surrogates (U+D83D …), which sort below U+FF21; its UTF-8 bytes sort above.
  const ids = ['\u{1f600}', '\uff21', 'b', 'a', 'Z'];
  expect(inKeyOrder(keyed(...ids)).map((item) => item.sourceId)).toEqual([
    'Z',
    'a',
    'b',
    '\uff21',
    '\u{1f600}',
  ]);
});

test('equal keys: keep the order of the payload and are detected', () => {
  const items = [
    { sourceId: 'b', at: 0 },
    { sourceId: 'a', at: 1 },
    { sourceId: 'b', at: 2 },
  ];
  const ordered = inKeyOrder(items);
  expect(ordered.map((item) => item.at)).toEqual([1, 0, 2]);
  expect(areDistinct(ordered)).toBe(false);
  expect(areDistinct(ordered.slice(0, 2))).toBe(true);
});
