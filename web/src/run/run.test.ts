import { describe, expect, it } from 'vitest';
import { curlCommand } from './curl-command.ts';
import { DEFAULT_RUN } from './run-choices.ts';
import type { RunningJob } from './run-store.ts';
import { bytesWords, durationWords, secondsLeft, withProgress } from './speed.ts';

describe('the speed of a run', () => {
  const job: RunningJob = {
    id: 'x',
    account: 'a',
    total: 1000,
    isGrouped: false,
    done: 0,
    failed: 0,
    rows: [[1, 1000]],
    rowsName: 'people.csv',
    retryOf: null,
    requestKey: null,
    since: null,
    rowsPerSecond: null,
  };
  it('is known from the second progress on', () => {
    const first = withProgress(job, 100, 0, 5_000);
    expect(first.rowsPerSecond).toBeNull();
    expect(secondsLeft(first)).toBeNull();
    const second = withProgress(first, 300, 2, 7_000);
    expect(second.rowsPerSecond).toBe(100);
    expect(second.failed).toBe(2);
    expect(secondsLeft(second)).toBe(7);
  });

  it('is described in everyday words', () => {
    expect([0.4, 61, 600, 9_000].map(durationWords)).toEqual([
      'less than a second',
      '61 s',
      '10 min',
      '2.5 h',
    ]);
    expect([12, 623_100, 4_200_000_000].map(bytesWords)).toEqual(['12 bytes', '623.1 kB', '4.2 GB']);
  });
});

describe('the command for a run', () => {
  const facts = {
    baseUrl: 'https://fill.example.org/app',
    pdf: "it's.pdf",
    package: 'x.doqlo',
    rows: 'rows.csv',
    isWorkbook: false,
    header: true,
    choices: DEFAULT_RUN,
  };
  it('names the files, quotes for a shell, and holds no secret', () => {
    const command = curlCommand({
      ...facts,
      choices: { ...DEFAULT_RUN, webhook: { url: 'https://h.example/x', secret: 'hush' } },
    });
    expect(command).toContain(`-F 'pdf=@it'\\''s.pdf'`);
    expect(command).toContain('Bearer $ROWPRESS_KEY');
    expect(command).toContain("-F 'csv_header=true'");
    expect(command).not.toContain('hush');
  });

  it('sends a workbook as one, and only the options that differ from the default', () => {
    const command = curlCommand({ ...facts, isWorkbook: true, header: false, rows: 'r.xlsx' });
    expect(command).toContain("-F 'rows_file=@r.xlsx'");
    expect(command).not.toContain('csv_header');
    expect(command).not.toContain('flatten_forms');
    expect(command).not.toContain('cell_values');
    expect(curlCommand({ ...facts, isWorkbook: true, cellValues: 'raw' })).toContain("-F 'cell_values=raw'");
  });
});
