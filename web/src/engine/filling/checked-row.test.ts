import { describe, expect, it } from 'vitest';
import { missingGlyphs } from '#fill/draw/text/missing-glyphs.ts';
import type { FaceChain } from '#fill/draw/text/shaped-paragraph.ts';
import type { RowWarning } from '#fill/results/row-outcome.ts';
import { GroupCells } from '#lib/rows/group-cells.ts';
import { ReportBuilder } from '../../core/check/check-report.ts';
import { checkedGroup, checkedRow, withPassword } from './checked-row.ts';

const noFonts: FaceChain = { base: undefined as never, face: () => undefined };
const note = (code: RowWarning['code'], message: string): RowWarning => ({ code, message, overlay_id: 't' });
const missing = (text: string) => note('GLYPH_MISSING', missingGlyphs(new Set(text), noFonts));
const drawn = (...warnings: RowWarning[]) => ({ applied: 1, skipped: 0, warnings, error: null });

describe('the check of all rows', () => {
  it('[CON35] rows that succeed with a note: are problem rows', () => {
    const list = new ReportBuilder();
    list.add(checkedRow(1, drawn()));
    list.add(checkedRow(2, drawn(note('TEXT_CLIPPED', 'The text is larger than its box.'))));
    list.add(checkedRow(3, drawn(missing('ক'))));
    expect(list.report(3)).toMatchObject({ rows: 3, failedRows: 0, problemRows: [2, 3] });
  });

  it('[EDT234] a row without a usable password: fails, and only if passwords are used', () => {
    const cells = new Map([['column_1', ' ']]);
    expect(checkedRow(1, withPassword(drawn(), cells, 'column_1'))).toMatchObject({
      status: 'failed',
      problems: [{ id: null, code: 'ROW_PASSWORD_BLANK', message: expect.stringContaining('column_1') }],
    });
    expect(checkedRow(1, withPassword(drawn(), cells, null)).problems).toEqual([]);
    expect(checkedRow(1, withPassword(drawn(), new Map([['column_1', 'x']]), 'column_1')).problems).toEqual(
      [],
    );
  });

  it('[EDT245] a group: notes are at the rows that they name, and an error at its first row', () => {
    const clipped = { ...note('TEXT_CLIPPED', 'Row 9: cut.'), input_row_number: 9 };
    const list = new ReportBuilder();
    for (const row of checkedGroup([7, 9, 30], drawn(clipped))) list.add(row);
    const error = { code: 'ROW_TABLE_OVERFLOW' as const, message: 'Row 12 does not fit.' };
    for (const row of checkedGroup([3, 12], { ...drawn(), error })) list.add(row);
    const report = list.report(5);
    expect(report).toMatchObject({ rows: 5, failedRows: 1, notedRows: 1, problemRows: [3, 9] });
    expect(report.listed.map(({ row, status }) => [row, status])).toEqual([
      [3, 'failed'],
      [9, 'success'],
    ]);
  });

  it('[EDT245] a group whose rows have different passwords: fails', () => {
    const rows = ['a', 'b'].map((text, n) => ({ number: n + 1, cells: new Map([['column_1', text]]) }));
    const failed = withPassword(drawn(), new GroupCells(rows), 'column_1');
    expect(failed.error?.code).toBe('ROW_PASSWORD_DIFFERS');
  });

  it('[CON35] missing glyphs of several scripts: the count names each font package once', () => {
    const list = new ReportBuilder();
    list.add(checkedRow(1, drawn(missing('ক'))));
    list.add(checkedRow(2, drawn(missing('খត'))));
    expect(list.report(2).counts).toEqual([
      {
        id: 't',
        code: 'GLYPH_MISSING',
        rows: 2,
        firstRow: 1,
        fontPackages: ['@expo-google-fonts/noto-sans-bengali', '@expo-google-fonts/noto-sans-khmer'],
      },
    ]);
  });
});
