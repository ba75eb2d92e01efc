import { describe, expect, it } from 'vitest';
import { emptyLayout } from '../project/project.ts';
import { messageWords, problemReport } from './problem-report.ts';
import type { ProblemRow } from './problem-rows.ts';

const layout = { ...emptyLayout('letter'), columns: [{ key: 'column_0', label: 'Name' }] };
const problem: ProblemRow = {
  row_number: 2,
  status: 'noted',
  code: 'TEXT_CLIPPED',
  message: 'The text "x" does not fit.',
  overlay_id: 'text_1',
  field: null,
  column: 'column_0',
  column_label: 'Name',
};

describe('the report of problems', () => {
  it('[EDT247] a problem of a group: is at the row that it names, not at the number of the group', () => {
    const csv = problemReport([{ ...problem, input_row_number: 3 }], [[7, 9]], layout, () => ['x']);
    expect(csv.split('\r\n')[1]).toMatch(/^"9",/);
  });

  it('[EDT69] a problem of a run of some rows: the number in the file, the words, the column and the value', () => {
    const csv = problemReport([problem], [[7, 9]], layout, (row) =>
      row === 8 ? ['Ada "A." Lovelace'] : undefined,
    );
    expect(csv).toBe(
      '\ufeff"Row in the file","Result","Problem","Code","Message","Field","Column","Value"\r\n' +
        '"8","Document with a note","text does not fit","TEXT_CLIPPED","The text ""x"" does not fit.","text_1","Name","Ada ""A."" Lovelace"\r\n',
    );
  });

  it('[EDT69] a problem of a whole row, or rows that are no longer open: blank cells', () => {
    const failed = {
      ...problem,
      status: 'failed' as const,
      overlay_id: null,
      column: null,
      column_label: null,
    };
    const [, line = ''] = problemReport([failed], [[1, 3]], layout, () => ['Ada']).split('\r\n');
    expect(line).toMatch(/^"2","Failed, no document",.*,"","",""$/);
    const [, other = ''] = problemReport([problem], [[1, 3]], layout, () => undefined).split('\r\n');
    expect(other).toMatch(/"Name",""$/);
  });

  it('[EDT69] a message that names a column by its key: names it by its label', () => {
    const message = 'column_1 is longer than column_10.';
    const named = { ...problem, message, column: 'column_1', column_label: 'Town' };
    expect(messageWords(named)).toBe('“Town” is longer than column_10.');
    expect(messageWords({ ...named, column_label: null })).toBe(message);
  });
});
