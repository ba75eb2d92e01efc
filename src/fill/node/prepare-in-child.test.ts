import { expect, test } from 'vitest';
import { briefly } from './prepare-in-child.ts';

test.each([
  [
    '1: file:///srv/app/src/x.ts:9\nRangeError: too deep\n    at f (/srv/app/src/x.ts:9:1)',
    'RangeError: too deep',
  ],
  ['SIGSEGV: ', 'SIGSEGV'],
  ['134: \n<--- Last few GCs --->\n[7:/srv/app]', '134'],
])('[FILL45] a crashed PDF reader: reports the reason without file paths (%j)', (complaint, told) => {
  expect(briefly(complaint)).toBe(told);
});
