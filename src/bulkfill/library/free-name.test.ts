import { expect, test } from 'vitest';
import { namesLike } from './free-name.ts';

const first = (count: number, ...args: Parameters<typeof namesLike>) =>
  [...namesLike(...args)].slice(0, count);

test('[BF190] the name of a copy: is marked and numbered', () => {
  expect(first(3, 'Letter', 'copy')).toEqual(['Letter (copy)', 'Letter (copy 2)', 'Letter (copy 3)']);
});

test('[BF191] the name of a restored project: is numbered only if it is taken', () => {
  expect(first(2, 'Letter')).toEqual(['Letter', 'Letter (2)']);
});

test('[BF190] a name of 100 characters: is shortened for its mark, between characters', () => {
  const [copy = ''] = first(1, `${'😀'.repeat(99)} `.trimEnd().padEnd(100, 'x'), 'copy');
  expect([...copy]).toHaveLength(100);
  expect(copy.endsWith('😀 (copy)')).toBe(true);
});
