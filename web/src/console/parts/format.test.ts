import { expect, test } from 'vitest';
import { formatAgo, formatBytes, formatDay, formatDuration, formatMany, shortenId } from './format.ts';

test('sizes are decimal and short', () => {
  const sizes = [0, 999, 1000, 12_345, 20_000_000, 999_960_000, 1_500_000_000_000];
  expect(sizes.map(formatBytes)).toEqual(['0 B', '999 B', '1 kB', '12.3 kB', '20 MB', '1 GB', '1.5 TB']);
});

test('durations have two units at most', () => {
  const durations = [0, 12, 999, 1000, 4300, 59_000, 60_000, 61_000, 3_600_000, 90_061_000];
  expect(durations.map(formatDuration)).toEqual([
    '0 ms',
    '12 ms',
    '999 ms',
    '1 s',
    '4.3 s',
    '59 s',
    '1 min',
    '1 min 1 s',
    '1 h',
    '1 d 1 h',
  ]);
});

test('times are relative to now, in the past and in the future', () => {
  const now = new Date('2026-11-16T12:00:00Z');
  const ago = (at: string) => formatAgo(new Date(at), now);
  expect(ago('2026-11-16T11:59:58Z')).toBe('just now');
  expect(ago('2026-11-16T11:59:20Z')).toBe('40 s ago');
  expect(ago('2026-11-16T11:57:00Z')).toBe('3 min ago');
  expect(ago('2026-11-15T12:00:00Z')).toBe('1 d ago');
  expect(ago('2026-11-16T17:30:00Z')).toBe('in 5 h');
});

test('a day is the one that was named, wherever the reader is', () => {
  expect(formatDay('2026-11-01')).toBe('1 Nov');
});

test('one is not many, and long ids keep their ends', () => {
  expect([formatMany(1, 'row'), formatMany(2000, 'row')]).toEqual(['1 row', '2,000 rows']);
  expect(shortenId('0190f3a2-aaaa-7bbb-8ccc-1234567890ab')).toBe('0190…567890ab');
  expect(shortenId('short')).toBe('short');
});
