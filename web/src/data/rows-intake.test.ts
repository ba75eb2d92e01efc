import { expect, it, vi } from 'vitest';
import { emptyLayout, type Project } from '../project/project.ts';

/** Readings end when the test ends them, by the name of the file. */
const ends = vi.hoisted(() => new Map<string, () => void>());
vi.mock('../engine/engine-client.ts', () => {
  const rows = { header: ['Name'], rowCount: 1, columnCount: 1, columnFacts: [], decimalSigns: {} };
  return {
    engine: {
      seeRows: (_: Blob, fileName: string) =>
        new Promise((resolve) => ends.set(fileName, () => resolve({ ok: true, rows }))),
      openRows: async () => ({ ok: true, rows }),
      readRows: async () => [['Ada']],
    },
  };
});

it('[EDT253] two files are chosen at once: the later one is used, and reading ends with the last of them', async () => {
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/' });
  const { useEditor } = await import('../editor/editor-store.ts');
  const { useWork } = await import('../project/work-store.ts');
  const { takeRows, useIntake, whenRowsTaken } = await import('./rows-intake.ts');
  const project = { id: 'p', name: 'p', layout: emptyLayout('p'), assets: new Map(), differences: [] };
  useEditor.getState().open(project as unknown as Project);
  const reading = useEditor.getState().rowsReading;
  const take = (fileName: string) => takeRows({ file: new Blob([fileName]), fileName }, reading);
  const isBusy = () => useIntake.getState().busy;
  const taken = vi.fn();

  const first = take('first.csv');
  const second = take('second.csv');
  await vi.waitFor(() => expect([...ends.keys()]).toEqual(['first.csv', 'second.csv']));
  const waited = whenRowsTaken().then(taken);
  ends.get('second.csv')?.();
  await second;
  expect([isBusy(), taken.mock.calls.length]).toEqual([true, 0]);
  expect(useWork.getState().rowsFile?.fileName).toBe('second.csv');

  ends.get('first.csv')?.();
  await first;
  await waited;
  expect(isBusy()).toBe(false);
  expect(useWork.getState().rowsFile?.fileName).toBe('second.csv');
});
