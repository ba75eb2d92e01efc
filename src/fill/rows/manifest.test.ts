import { describe, expect, it } from 'vitest';
import {
  type ManifestHead,
  manifestText,
  type RowResult,
  rowResultJson,
  SummaryCounter,
} from './manifest.ts';
import { rowStatus } from './row-outcome.ts';

const row = (members: Partial<RowResult>): RowResult => ({
  row_number: 1,
  status: 'success',
  file_name: 'row_1.pdf',
  applied_overlay_count: 2,
  skipped_overlay_count: 0,
  warnings: [],
  error: null,
  sha256: 'ab',
  ...members,
});
const partial = row({
  row_number: 2,
  status: 'partial',
  file_name: 'row_2.pdf',
  applied_overlay_count: 1,
  skipped_overlay_count: 1,
  warnings: [{ code: 'CODE_VALUE_BLANK', message: 'Blank.', overlay_id: 'code' }],
});
const failed = row({
  row_number: 3,
  status: 'failed',
  file_name: null,
  applied_overlay_count: 0,
  error: { code: 'ROW_VALUE_INVALID', message: 'No.' },
  sha256: null,
});

function head(rows: readonly RowResult[]): ManifestHead {
  const counter = new SummaryCounter();
  for (const result of rows) counter.add(result);
  return {
    engine: 'rowpress-fill/2',
    rows: rows.length,
    timestamp: '2026-01-01T00:00:00Z',
    source: { pdf_sha256: 'aa', page_count: 1, package_sha256: 'bb' },
    options: { include_stickers: false },
    summary: counter.summary(),
    warnings: [],
  };
}

describe('[FILL19] manifest.json', () => {
  it('has version 2, the summary, and one result per requested row in order', () => {
    const rows = [row({}), partial, failed];
    const manifest = JSON.parse([...manifestText(head(rows), rows.map(rowResultJson))].join(''));
    expect(manifest).toMatchObject({ version: 2, rows: 3, engine: 'rowpress-fill/2', warnings: [] });
    expect(manifest.summary).toEqual({
      produced_rows: 2,
      success_rows: 1,
      partial_rows: 1,
      failed_rows: 1,
      applied_overlay_count: 3,
      skipped_overlay_count: 1,
    });
    expect(manifest.row_results).toEqual(rows);
  });

  it('is written in pieces: 100,000 rows never become one string', () => {
    const lines = function* () {
      const line = rowResultJson(partial);
      for (let i = 0; i < 100_000; i += 1) yield line;
    };
    let longest = 0;
    let total = 0;
    for (const piece of manifestText(head([partial]), lines())) {
      longest = Math.max(longest, piece.length);
      total += piece.length;
    }
    expect(longest).toBeLessThan(70_000);
    expect(total).toBeGreaterThan(20_000_000);
  });

  it('is valid JSON without any row', () => {
    expect(JSON.parse([...manifestText(head([]), [])].join('')).row_results).toEqual([]);
  });
});

describe('[FILL8] the status of a row', () => {
  it('is success, partial when something was skipped or nothing applied, failed without a PDF', () => {
    expect(rowStatus({ applied: 2, skipped: 0 }, null)).toBe('success');
    expect(rowStatus({ applied: 2, skipped: 1 }, null)).toBe('partial');
    expect(rowStatus({ applied: 0, skipped: 0 }, null)).toBe('partial');
    expect(rowStatus({ applied: 2, skipped: 0 }, { code: 'ROW_RENDER_FAILED', message: '' })).toBe('failed');
  });
});
