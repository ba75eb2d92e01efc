import { describe, expect, it } from 'vitest';
import { firstSheet, withOwnSizes } from '../core/runs/sheet-choice.ts';
import { curlCommand } from './curl-command.ts';
import { outputFields } from './output-fields.ts';
import { DEFAULT_RUN, flattens, passwordProblem, type RunChoices } from './run-choices.ts';

const run = (choices: Partial<RunChoices>): RunChoices => ({ ...DEFAULT_RUN, ...choices });
const columns = [{ key: 'column_0' }, { key: 'column_1' }];

describe('the output of a run', () => {
  it('[EDT230] a ZIP: sends no field, even if a sheet was chosen before', () => {
    expect(outputFields(run({ sheet: firstSheet() }))).toEqual([]);
    expect(flattens(run({}))).toBe(false);
  });

  it('[EDT230] a merged PDF: flattens forms', () => {
    expect(outputFields(run({ output: 'both' }))).toEqual([['output', 'both']]);
    expect(flattens(run({ output: 'merged' }))).toBe(true);
  });

  it('[EDT230] blank pages: are sent with whole pages in one PDF only', () => {
    expect(outputFields(run({ output: 'merged', duplex: true }))).toEqual([
      ['output', 'merged'],
      ['duplex', 'true'],
    ]);
    expect(outputFields(run({ duplex: true }))).toEqual([]);
    const labels = outputFields(run({ output: 'both', sheet: firstSheet(), duplex: true }));
    expect(labels.map(([name]) => name)).toEqual(['output', 'sheet']);
  });

  it('[EDT231] a sheet: is sent by its name, or by its sizes in points, with what differs from the default', () => {
    const sheetIn = (sheet: RunChoices['sheet']) =>
      JSON.parse(outputFields(run({ output: 'merged', sheet }))[1]?.[1] ?? 'null') as unknown;
    expect(sheetIn(firstSheet())).toEqual({ preset: 'avery-l7159' });
    expect(sheetIn({ ...firstSheet(), skip: '2', order: 'down', marks: true })).toEqual({
      preset: 'avery-l7159',
      skip: 2,
      order: 'down',
      marks: true,
    });
    expect(sheetIn(withOwnSizes(firstSheet()))).toMatchObject({ width: 595.276, columns: 3, rows: 8 });
  });

  it('[EDT230] the command for a script: has the same fields', () => {
    const command = curlCommand({
      baseUrl: 'http://127.0.0.1:8080',
      pdf: 'a.pdf',
      package: 'a.doqlo',
      rows: 'a.csv',
      isWorkbook: false,
      header: false,
      choices: run({ output: 'merged', sheet: firstSheet() }),
    });
    expect(command).toContain("-F 'output=merged'");
    expect(command).toContain(`-F 'sheet={"preset":"avery-l7159"}'`);
  });

  it('[EDT234] a password column: is rejected with one PDF of all rows, in file names, and if it is gone', () => {
    const withPassword = (choices: Partial<RunChoices>) =>
      passwordProblem(run({ passwordColumn: 'column_1', ...choices }), columns);
    expect(withPassword({})).toBeNull();
    expect(outputFields(run({ passwordColumn: 'column_1' }))).toEqual([['password_column', 'column_1']]);
    expect(withPassword({ output: 'both' })).toContain('One PDF of all rows cannot have a password');
    expect(withPassword({ filenameColumns: ['column_1'] })).toContain('file names');
    expect(withPassword({ passwordColumn: 'column_9' })).toContain('no longer has this column');
    expect(passwordProblem(run({ output: 'merged' }), columns)).toBeNull();
  });
});
