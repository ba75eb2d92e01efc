import { expect, it } from 'vitest';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import type { RowRecord } from '#fill/row-filler.ts';
import { decodeProblems, encodeProblems, MAX_KEPT_PROBLEMS, rowProblems } from './row-problems.ts';

const layout = layoutSchema.parse({ format: 'rowpress.layout', version: 1 });
const noted = (row: number): RowRecord => ({
  result: {
    row_number: row,
    status: 'success',
    file_name: `row_${row}.pdf`,
    applied_overlay_count: 1,
    skipped_overlay_count: 0,
    warnings: [{ code: 'TEXT_CLIPPED', message: 'The text is cut.', overlay_id: 'unknown' }],
    error: null,
    sha256: '',
  },
  zip: null,
});

it('[BF95] more problems than the limit: keeps the first ones, in compact form', () => {
  const records = Array.from({ length: MAX_KEPT_PROBLEMS + 5 }, (_, index) => noted(index + 1));
  const problems = rowProblems(records, layout);
  expect(problems).toHaveLength(MAX_KEPT_PROBLEMS);
  expect(problems.at(-1)).toMatchObject({ row_number: MAX_KEPT_PROBLEMS, status: 'noted', column: null });
  const bytes = encodeProblems(problems);
  expect(bytes.length).toBeLessThan(150_000);
  expect(decodeProblems(bytes)).toEqual(problems);
});
