import { expect, test } from 'vitest';
import { readInTurns } from './read-in-turns.ts';
import { readSlice } from './read-slice.ts';

/** About 1 MB of items: at least four turns. */
const items = Array.from({ length: 8_000 }, (_, i) =>
  i % 1_000 === 7 ? `{"n":${'['.repeat(70)}${']'.repeat(70)}}` : JSON.stringify({ i, text: 'é'.repeat(50) }),
);
const slice = { start: 0, end: 0, firstRow: 1, rows: items.length };

test('[HTTP40] a large JSON slice: is read in turns, with the items in order', async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    ticking = setImmediate(count);
  };
  let ticking = setImmediate(count);
  const read = await readInTurns('json', slice, Buffer.from(items.join(', \n')));
  clearImmediate(ticking);
  expect(turns).toBeGreaterThan(2);
  expect(read).toHaveLength(items.length);
  expect(read.map((item) => (item.ok ? (item.value as { i: number }).i : item.reason))).toEqual(
    items.map((_, i) => (i % 1_000 === 7 ? 'is nested more than 64 levels deep' : i)),
  );
});

test('[HTTP40] a large NDJSON slice: items and line numbers equal those of a single read', async () => {
  const bytes = Buffer.from(
    items.map((item, i) => (i % 500 === 3 ? `${item}\n\nnonsense` : item)).join('\n'),
  );
  const at = { ...slice, line: 11 };
  expect(await readInTurns('ndjson', at, bytes)).toEqual(readSlice('ndjson', at, bytes));
});

test('[HTTP40] a slice with invalid JSON: throws', async () => {
  const broken = Buffer.from([...items, '{"a":tru}'].join(','));
  await expect(readInTurns('json', slice, broken)).rejects.toThrow('The body is not valid JSON.');
});
