import { expect, it } from 'vitest';
import { emptyHistory, MAX_ENTRIES, record, redo, rewrite, undo } from './history.ts';

it('what was undone comes back, until something else is done', () => {
  const first = record(emptyHistory<number>(), { label: 'Add', before: 0, after: 1 });
  const second = record(first, { label: 'Move', before: 1, after: 2 });
  const back = undo(second);
  expect(back?.entry).toMatchObject({ label: 'Move', before: 1 });
  expect(redo(back?.history ?? second)?.entry.after).toBe(2);
  const other = record(back?.history ?? second, { label: 'Delete', before: 1, after: 3 });
  expect(redo(other)).toBeNull();
  expect(undo(emptyHistory())).toBeNull();
});

it('what a gesture replaced beside the value: comes back with it', () => {
  const history = record(emptyHistory<number, string>(), {
    label: 'Use other rows',
    before: 0,
    after: 0,
    companion: { before: 'old rows', after: 'new rows' },
  });
  const back = undo(history);
  expect(back?.entry.companion?.before).toBe('old rows');
  expect(redo(back?.history ?? history)?.entry.companion?.after).toBe('new rows');
});

it('a change of all values: is in every step back and forth', () => {
  const first = record(emptyHistory<number>(), { label: 'Add', before: 0, after: 1 });
  const second = record(first, { label: 'Move', before: 1, after: 2 });
  const back = undo(second)?.history ?? second;
  const { past, future } = rewrite(back, (value) => value + 10);
  expect(past).toEqual([{ label: 'Add', before: 10, after: 11 }]);
  expect(future).toEqual([{ label: 'Move', before: 11, after: 12 }]);
});

it('keeps the last entries only', () => {
  let history = emptyHistory<number>();
  for (let step = 0; step < MAX_ENTRIES + 20; step += 1)
    history = record(history, { label: String(step), before: step, after: step + 1 });
  expect(history.past).toHaveLength(MAX_ENTRIES);
  expect(history.past[0]?.label).toBe('20');
});
