import { describe, expect, it } from 'vitest';
import { tableTraits } from '#fill/kinds/table/traits.ts';
import { firstSheet, withOwnSizes } from '../core/runs/sheet-choice.ts';
import { emptyLayout } from '../project/project.ts';
import { curlCommand } from './curl-command.ts';
import { outputFields } from './output-fields.ts';
import { GROUPED_OUTPUT_NAMES, outputWords } from './output-words.ts';
import {
  DEFAULT_RUN,
  flattens,
  groupProblem,
  passwordProblem,
  type RunChoices,
  rangeOf,
} from './run-choices.ts';
import { isUngrouped } from './ungrouped.ts';

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

describe('the groups of a run', () => {
  it('[EDT243] group columns: are sent by key, and only if there are some', () => {
    expect(outputFields(run({ groupBy: ['column_1', 'column_0'] }))).toEqual([
      ['group_by', '["column_1","column_0"]'],
    ]);
    expect(outputFields(run({ groupBy: [] }))).toEqual([]);
  });

  it('[EDT243] groups: are made from all rows, whatever range was chosen before', () => {
    const range = { from: 5, to: 9 };
    expect(rangeOf({ groupBy: ['column_0'], range }, 36)).toEqual({ from: 1, to: 36 });
    expect(rangeOf({ groupBy: [], range }, 36)).toEqual(range);
    expect(rangeOf({ groupBy: [], range: null }, 36)).toEqual({ from: 1, to: 36 });
  });

  it('[EDT243] a group column that the project no longer has: is a problem', () => {
    expect(groupProblem({ groupBy: ['column_1'] }, columns)).toBeNull();
    expect(groupProblem({ groupBy: ['column_1', 'column_7'] }, columns)).toContain('no longer has');
  });

  it('[EDT243] the words about the output of groups: name groups, as the options do', () => {
    const groupBy = [{ key: 'column_0', name: 'Invoice' }];
    const options = { ...DEFAULT_RUN, filenameColumns: [], webhookUrl: null, sheet: undefined };
    const words = (output: RunChoices['output']) =>
      outputWords({ ...options, passwordColumn: undefined, groupBy, output });
    expect(words('merged')).toEqual(['grouped by Invoice', 'one PDF of all groups']);
    expect(words('both')).toEqual(['grouped by Invoice', 'one PDF of all groups and one per group']);
    expect(
      passwordProblem(run({ passwordColumn: 'column_1', output: 'merged', groupBy: ['column_0'] }), columns),
    ).toContain(`Choose “${GROUPED_OUTPUT_NAMES.zip}”`);
  });

  it('[EDT246] a table without group columns: shows one row', () => {
    const table = { ...tableTraits.defaults, id: 't', page: 1, x: 0, y: 0 };
    const layout = { ...emptyLayout('invoice'), overlays: [table] };
    expect(isUngrouped(layout, run({}))).toBe(true);
    expect(isUngrouped(layout, run({ groupBy: ['column_0'] }))).toBe(false);
    expect(isUngrouped(emptyLayout('letter'), run({}))).toBe(false);
  });
});
