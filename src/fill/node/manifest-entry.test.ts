import { crc32, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  LINE_SEPARATOR,
  type ManifestHead,
  type RowResult,
  rowResultJson,
  SummaryCounter,
} from '../results/manifest.ts';
import type { ZipManifest } from '../zip/zip-plan.ts';
import { ManifestEntry } from './manifest-entry.ts';

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

/** Adds the rows in groups of this size. */
async function entryOf(rows: readonly RowResult[], stretch: number): Promise<ZipManifest> {
  const entry = new ManifestEntry();
  for (let at = 0; at < rows.length; at += stretch) {
    const lines = rows.slice(at, at + stretch).map(rowResultJson);
    await entry.add(Buffer.from(lines.join(LINE_SEPARATOR)));
  }
  return entry.finish(head(rows));
}

function opened(entry: ZipManifest): Buffer {
  const plain = inflateRawSync(entry.deflated);
  expect(plain).toHaveLength(entry.plainLength);
  expect(crc32(plain)).toBe(entry.crc32);
  return plain;
}

describe('[FILL19] manifest.json', () => {
  it('any job: has version 2, the summary, and one result per requested row in order', async () => {
    const rows = [row({}), partial, failed];
    const manifest = JSON.parse(opened(await entryOf(rows, 2)).toString());
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

  it('rows in groups of any size: the same bytes, even compressed', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) =>
      row({ row_number: index + 1, file_name: `row_${index + 1}_${'é'.repeat(index % 7)}.pdf` }),
    );
    const whole = await entryOf(rows, 5000);
    expect(JSON.parse(opened(whole).toString()).row_results).toEqual(rows);
    for (const stretch of [1, 128, 1000]) expect(await entryOf(rows, stretch)).toEqual(whole);
  });

  it('no rows: valid JSON', async () => {
    expect(JSON.parse(opened(await entryOf([], 1)).toString()).row_results).toEqual([]);
  });
});
