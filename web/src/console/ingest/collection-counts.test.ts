import { expect, test } from 'vitest';
import { formatActive, formatCounted } from './collection-counts.ts';

test('[CON110] a count below the limit: shown exactly; one that reached it: with a plus sign', () => {
  expect(formatCounted(9_999)).toBe('9,999');
  expect(formatCounted(10_000)).toBe('10,000+');
});

test('[CON110] active items of a collection with more items than are counted: relate to the counted ones', () => {
  expect(formatActive({ items: 9_999, active: 3 })).toBe('3');
  expect(formatActive({ items: 10_000, active: 10_000 })).toBe('10,000+');
  expect(formatActive({ items: 10_000, active: 9_870 })).toBe('9,870 of the first 10,000');
});
