import { expect, test } from 'vitest';
import { timeOrderedUuids } from './ids.ts';

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timeOf = (uuid: string) => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);

test('the example of RFC 9562, appendix A.6: has the same time and version', () => {
  const uuid = timeOrderedUuids(() => Date.UTC(2022, 1, 22, 19, 22, 22))();
  expect(uuid).toMatch(V7);
  expect(uuid.slice(0, 15)).toBe('017f22e2-79b0-7');
});

test('20,000 ids of one millisecond: are distinct and in order', () => {
  const next = timeOrderedUuids(() => 1_700_000_000_000);
  const ids = Array.from({ length: 20_000 }, next);
  for (const id of ids) expect(id).toMatch(V7);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  expect(timeOf(ids.at(-1) ?? '')).toBeLessThan(1_700_000_000_010);
});

test('a clock that goes back: the ids stay in order', () => {
  let now = 1_700_000_000_000;
  const next = timeOrderedUuids(() => now);
  const first = next();
  now -= 5_000;
  expect(next() > first).toBe(true);
});
