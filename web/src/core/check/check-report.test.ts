import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CheckedRow, LISTED_PROBLEMS, ReportBuilder, withRechecked } from './check-report.ts';

const reportOf = (rows: readonly CheckedRow[]) => {
  const builder = new ReportBuilder();
  for (const row of rows) builder.add(row);
  return builder.report(rows.length);
};
const clipped = { id: 't', code: 'TEXT_CLIPPED', message: 'clipped' };
const broken = { id: 'b', code: 'CODE_VALUE_INVALID', message: 'invalid' };
const missing = { id: 't', code: 'GLYPH_MISSING', message: 'missing', fontPackages: ['noto'] };
const failed = { id: null, code: 'ROW_VALUE_TOO_LONG', message: 'long' };

describe('the report of all rows', () => {
  it('[EDT123] rows of each kind: are counted by verdict', () => {
    const report = reportOf([
      { row: 1, status: 'success', problems: [] },
      { row: 2, status: 'success', problems: [clipped] },
      { row: 3, status: 'partial', problems: [broken, clipped] },
      { row: 4, status: 'failed', problems: [failed] },
    ]);
    expect(report).toMatchObject({ rows: 4, notedRows: 1, brokenRows: 2, failedRows: 1 });
    expect(report.problemRows).toEqual([2, 3, 4]);
  });

  const kind = fc.constantFrom<Pick<CheckedRow, 'status' | 'problems'>>(
    { status: 'success', problems: [] },
    { status: 'success', problems: [clipped] },
    { status: 'success', problems: [clipped, missing] },
    { status: 'partial', problems: [broken] },
    { status: 'failed', problems: [failed] },
  );

  it('[EDT126] rows checked again: give the same report as a check of all rows', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, kind), { maxLength: 12 }), (pairs) => {
        const rowsOf = (which: 0 | 1) =>
          pairs.map((pair, index): CheckedRow => ({ row: index + 1, ...pair[which] }));
        const after = rowsOf(1);
        const again = after.filter((_, index) => pairs[index]?.[0] !== pairs[index]?.[1]);
        const updated = withRechecked(reportOf(rowsOf(0)), again);
        const fresh = reportOf(after);
        const byKey = (counts: typeof fresh.counts) =>
          [...counts].sort((a, b) => (`${a.code}${a.id}` < `${b.code}${b.id}` ? -1 : 1));
        expect({ ...updated, counts: byKey(updated?.counts ?? []) }).toEqual({
          ...fresh,
          counts: byKey(fresh.counts),
        });
      }),
    );
  });

  it('[EDT126] more problems than are listed: an unlisted row needs a new check of all rows', () => {
    const rows = Array.from(
      { length: LISTED_PROBLEMS + 5 },
      (_, index): CheckedRow => ({ row: index + 1, status: 'success', problems: [clipped] }),
    );
    const report = reportOf(rows);
    expect(report.listed).toHaveLength(LISTED_PROBLEMS);
    expect(report.counts[0]?.rows).toBe(LISTED_PROBLEMS + 5);
    expect(withRechecked(report, [{ row: LISTED_PROBLEMS + 2, status: 'success', problems: [] }])).toBeNull();
    const updated = withRechecked(report, [{ row: 1, status: 'success', problems: [] }]);
    expect(updated?.counts).toEqual([{ ...report.counts[0], rows: LISTED_PROBLEMS + 4, firstRow: 2 }]);
  });
});
