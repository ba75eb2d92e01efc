import { expect, test } from 'vitest';
import { uuidParts } from './id-part.ts';

const [LOW, HIGH] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

test('[CON64] a shortened id: a range of ids and the digits at their end', () => {
  const part = {
    from: '22440000-0000-0000-0000-000000000000',
    to: '2244ffff-ffff-ffff-ffff-ffffffffffff',
    end: '48c7c571',
  };
  for (const text of ['2244…48c7c571', '2244...48C7C571', '2244..48c7c571'])
    expect(uuidParts(text)).toEqual([part]);
  expect(uuidParts('…48c7c571')).toEqual([{ from: LOW, to: HIGH, end: '48c7c571' }]);
});

test('[CON64] hexadecimal digits: the beginning or the end of an id, with or without hyphens', () => {
  const begin = {
    from: '018f0000-0000-0000-0000-000000000000',
    to: '018f0000-0fff-ffff-ffff-ffffffffffff',
    end: '',
  };
  for (const text of ['018f0000-0', '018F00000'])
    expect(uuidParts(text)).toEqual([begin, { from: LOW, to: HIGH, end: '018f00000' }]);
});

test('[CON64] other text and fewer than four digits: not a part of an id', () => {
  for (const text of ['', 'abc', '22…4', 'nightly', 'job-01JC', '0'.repeat(33), '2244…xyz'])
    expect(uuidParts(text)).toEqual([]);
});
