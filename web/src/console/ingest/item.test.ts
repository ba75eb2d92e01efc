import { expect, test } from 'vitest';
import { changedMembers } from './item.ts';

test('a change names the members it touched', () => {
  const before = { name: 'Bolt', weight_kg: 1, gone: true };
  const after = { name: 'Bolt M8', weight_kg: 1, barcode: '400' };
  expect(changedMembers({ before, after })).toEqual(['barcode', 'gone', 'name']);
});

test('a creation has nothing to compare with', () => {
  expect(changedMembers({ before: null, after: { name: 'Bolt' } })).toEqual([]);
});
