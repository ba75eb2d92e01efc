import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '#config.ts';
import { workbook } from '../../../../test/support/workbook.ts';
import { looksLikeXlsx, readWorkbook, readWorkbookFile } from './read-workbook.ts';
import { LOCAL_WORKBOOK_LIMITS, workbookLimits } from './workbook-limits.ts';
import { workbookRefusal } from './workbook-refusal.ts';

const SHEET = workbook([
  ['id', 'name', 'born'],
  ['00012345678901234567890', ' Ann, "the first" ', { day: 45658 }],
  [12.5, null, true],
  ['x', { error: '#N/A' }],
  [null, null, null],
]);
const MAX = 1_000_000;

describe('the first sheet of a workbook', () => {
  test('[FILL135] as CSV: raw values, quoted if needed, an error as a blank, no blank rows at the end', async () => {
    expect(looksLikeXlsx(SHEET)).toBe(true);
    const read = await readWorkbook([SHEET], { form: 'csv', values: 'raw' }, MAX);
    expect(read.ok && read.text.toString()).toBe(
      'id,name,born\r\n00012345678901234567890," Ann, ""the first"" ",2025-01-01\r\n12.5,,true\r\nx,\r\n',
    );
  });

  test('[FILL135] as rows: blank cells and the header are omitted, and an error is null', async () => {
    const read = await readWorkbook(
      [SHEET.subarray(0, 10), SHEET.subarray(10)],
      { form: 'json-below-header', values: 'shown' },
      MAX,
    );
    expect(read.ok && JSON.parse(read.text.toString())).toEqual([
      { column_0: '00012345678901234567890', column_1: ' Ann, "the first" ', column_2: '1/1/2025' },
      { column_0: '12.5', column_2: 'TRUE' },
      { column_0: 'x', column_1: null },
    ]);
    const whole = await readWorkbook([SHEET], { form: 'json', values: 'shown' }, MAX);
    expect(whole.ok && JSON.parse(whole.text.toString())).toHaveLength(4);
  });

  test('[LIM48] from file to file: the same text and limits, and neither file is in memory', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rp-workbook-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const source = join(folder, 'book.xlsx');
    writeFileSync(source, SHEET);
    const order = { form: 'csv', values: 'raw' } as const;
    const path = join(folder, 'sheet.csv');
    const usual = [LOCAL_WORKBOOK_LIMITS, new AbortController().signal] as const;
    expect(await readWorkbookFile(source, order, { path, maxBytes: MAX }, ...usual)).toEqual({ ok: true });
    const inMemory = await readWorkbook([SHEET], order, MAX);
    expect(readFileSync(path)).toEqual(inMemory.ok && inMemory.text);
    expect(await readWorkbookFile(source, order, { path: `${path}2`, maxBytes: 10 }, ...usual)).toEqual({
      ok: false,
      reason: 'output',
    });
    writeFileSync(source, 'PK not a workbook');
    expect(await readWorkbookFile(source, order, { path: `${path}3`, maxBytes: MAX }, ...usual)).toEqual({
      ok: false,
      reason: 'unreadable',
    });
  });

  test('[FILL134] raw whole numbers: the digits of the workbook', async () => {
    const bytes = workbook([[9007199254740993n]]);
    const read = await readWorkbook([bytes], { form: 'csv', values: 'raw' }, MAX);
    expect(read.ok && read.text.toString()).toBe('9007199254740993\r\n');
  });

  test('[FILL180] a sheet of more XML than allowed: rejected with its size before it is unpacked', async () => {
    const order = { form: 'csv', values: 'raw' } as const;
    const refused = await readWorkbook([SHEET], order, MAX, { ...LOCAL_WORKBOOK_LIMITS, maxSheetBytes: 300 });
    expect(refused).toMatchObject({ ok: false, reason: 'sheet', limit: 300 });
    const bytes = refused.ok || refused.reason !== 'sheet' ? 0 : refused.bytes;
    expect(bytes).toBeGreaterThan(300);
    const read = await readWorkbook([SHEET], order, MAX, { ...LOCAL_WORKBOOK_LIMITS, maxSheetBytes: bytes });
    expect(read).toMatchObject({ ok: true });
  });

  test('[FILL180] a workbook beyond a limit: the message names the limit, its setting and an alternative', () => {
    const stopped = { ok: false, limit: 7 } as const;
    const out = 'Send the rows as CSV, or ask the operator to raise';
    expect(workbookRefusal({ ...stopped, reason: 'time' })).toBe(
      `takes longer than 7 ms to read. ${out} ROWPRESS_XLSX_TIMEOUT_MS.`,
    );
    expect(workbookRefusal({ ...stopped, reason: 'memory' })).toBe(
      `takes more than 7 bytes of memory to read. ${out} ROWPRESS_XLSX_MAX_MEMORY_BYTES.`,
    );
    expect(workbookRefusal({ ...stopped, reason: 'sheet', bytes: 9 })).toBe(
      `has a sheet of 9 bytes of XML; at most 7 are allowed. ${out} ROWPRESS_XLSX_MAX_SHEET_BYTES.`,
    );
  });

  test('[FILL180] the limits of uploads: 10 seconds, 512 MB and 20 MB of XML unless set otherwise', () => {
    const loaded = loadConfig({});
    expect(loaded.ok && workbookLimits(loaded.config)).toEqual({
      maxMs: 10_000,
      maxRssBytes: 512_000_000,
      maxSheetBytes: 20_000_000,
    });
  });

  test('[FILL135] not a workbook, or more output than allowed: rejected', async () => {
    expect(
      await readWorkbook([new TextEncoder().encode('PK no workbook')], { form: 'csv', values: 'raw' }, MAX),
    ).toEqual({
      ok: false,
      reason: 'unreadable',
    });
    expect(await readWorkbook([SHEET], { form: 'csv', values: 'raw' }, 10)).toEqual({
      ok: false,
      reason: 'output',
    });
  });
});
