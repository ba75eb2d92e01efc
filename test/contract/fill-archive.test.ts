import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { box, type FillInput, fill, layoutOf, runFill, sha256 } from '../support/fill-cli.ts';
import { pageTexts, readPdf } from '../support/read-pdf.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { sourcePdf, type TestPage } from '../support/source-pdf.ts';

let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = await cliSandbox();
});
afterAll(() => sandbox.remove());

const pdf = sourcePdf({ pages: [{}, {}] });
const layout = layoutOf([
  { id: 'name', type: 'text', ...box, value: { column: 'column_0' } },
  { id: 'code', type: 'qr', ...box, x: 400, width: 90, height: 90, value: { column: 'column_1' } },
  { id: 'greeting', type: 'text', ...box, page: 2, value: { template: 'Dear {{column_0}}' } },
]);
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ column_0: `Zoë ${i + 1}`, column_1: `REF-${i + 1}` }));
const csvOf = (count: number) =>
  rowsOf(count)
    .map((row) => `${row.column_0},${row.column_1}\n`)
    .join('');

describe('an archive', () => {
  it('[FILL2] an archive: one PDF per row in row order and the manifest last, all dated 1980-01-01', async () => {
    const { bytes, files, manifest } = await fill(sandbox, { pdf, layout, rows: csvOf(12) });
    const names = Array.from({ length: 12 }, (_, i) => `row_${i + 1}.pdf`);
    expect(Object.keys(files)).toEqual([...names, 'manifest.json']);
    expect(entryDates(bytes)).toEqual(new Set(['1980-1-1 0:0']));
    expect(manifest.row_results.map((row) => row.file_name)).toEqual(names);
    for (const [index, name] of names.entries()) {
      const [first, second] = await pageTexts(files[name] ?? new Uint8Array(0));
      expect(first).toBe(`page 1 Zoë ${index + 1}`);
      expect(second).toBe(`page 2 Dear Zoë ${index + 1}`);
    }
  });

  it('[FILL3][FILL19] the manifest: digests, engine, options and counts that match the archive', async () => {
    const { files, manifest } = await fill(sandbox, {
      pdf,
      layout,
      rows: csvOf(3),
      args: ['--filename-columns', 'column_1', '--timestamp', '2026-01-02T03:04:05Z'],
    });
    expect(manifest).toMatchObject({
      version: 2,
      rows: 3,
      engine: expect.stringMatching(/^rowpress-fill\//),
      timestamp: '2026-01-02T03:04:05Z',
      warnings: [],
      summary: {
        produced_rows: 3,
        success_rows: 3,
        partial_rows: 0,
        failed_rows: 0,
        applied_overlay_count: 9,
        skipped_overlay_count: 0,
      },
      options: {
        include_stickers: false,
        flatten_forms: false,
        filename_columns: ['column_1'],
        max_failed_row_percent: 100,
      },
    });
    expect(manifest.source).toEqual({
      pdf_sha256: sha256(pdf),
      page_count: 2,
      package_sha256: sha256(await sandbox.read('layout.json')),
    });
    expect(manifest.row_results).toHaveLength(3);
    for (const row of manifest.row_results) {
      expect(row.sha256).toBe(sha256(files[row.file_name ?? '']));
      expect(row).toMatchObject({ status: 'success', error: null, warnings: [] });
      expect(row.file_name).toBe(`row_${row.row_number}_REF-${row.row_number}.pdf`);
    }
  });

  it('[FILL1][FILL2] 10,000 rows on one thread and on four, from CSV and from JSON: the same archive', async () => {
    const words = ['Zoë', '李雷', 'مرحبا بالعالم', 'Ελλάδα', 'नमस्ते', '😀 ✓', 'שלום', 'ไทย', 'Łódź'];
    // Most rows are simple; every tenth needs shaping or its own glyphs.
    const rows = rowsOf(10_000).map((row, i) =>
      i % 10 === 0 ? { ...row, column_0: `${words[i % 9]} ${words[(i * 7 + 3) % 9]} ${i % 50}` } : row,
    );
    const csv = rows.map((row) => `${row.column_0},${row.column_1}\n`).join('');
    const digestOf = async (given: FillInput['rows'], threads: string) => {
      const args = ['--threads', threads, '-o', `of-${threads}.zip`];
      const run = await runFill(sandbox, { pdf, layout, rows: given, args });
      expect(run.status, run.stderr).toBe(0);
      return fileDigest(sandbox.path(`of-${threads}.zip`));
    };
    const digest = await digestOf(csv, '1');
    expect(await digestOf(rows, '4')).toBe(digest);

    const picked = [1, 11, 5_001, 7_777, 10_000];
    const names = [...picked.map((number) => `row_${number}.pdf`), 'manifest.json'];
    const files = unzipSync(await sandbox.read('of-4.zip'), { filter: ({ name }) => names.includes(name) });
    const manifest = JSON.parse(new TextDecoder().decode(files['manifest.json']));
    expect(manifest.row_results).toHaveLength(10_000);
    for (const number of picked) {
      const alone = await fill(sandbox, { pdf, layout, rows: rows.slice(number - 1, number) });
      const found = sha256(alone.files['row_1.pdf']);
      expect(found, `row ${number}`).toBe(sha256(files[`row_${number}.pdf`]));
      expect(found, `row ${number}`).toBe(manifest.row_results[number - 1].sha256);
    }
  });

  it('[FILL1] a row among others in another order: the same PDF', async () => {
    const words = ['Zoë', '李雷', 'مرحبا بالعالم', 'Ελλάδα', 'नमस्ते', '😀 ✓', 'שלום', 'ไทย', 'Łódź'];
    const rows = Array.from({ length: 120 }, (_, i) => ({
      column_0: `${words[i % words.length]} ${words[(i * 7 + 3) % words.length]}`,
      column_1: `REF-${i % 5}`,
    }));
    const many = await fill(sandbox, { pdf, layout, rows });
    const reversed = await fill(sandbox, { pdf, layout, rows: rows.toReversed(), args: ['--threads', '2'] });
    const digests = many.manifest.row_results.map((row) => row.sha256);
    expect(reversed.manifest.row_results.map((row) => row.sha256)).toEqual(digests.toReversed());
    expect(new Set(digests).size).toBeGreaterThan(40);
  });

  it('[FILL25] a preview of a row: the PDF of the archive', async () => {
    const { files } = await fill(sandbox, { pdf, layout, rows: csvOf(5) });
    const run = await runFill(sandbox, {
      pdf,
      layout,
      rows: csvOf(5),
      args: ['--preview', '4', '-o', 'row.pdf'],
    });
    expect(run.status).toBe(0);
    expect(sha256(await sandbox.read('row.pdf'))).toBe(sha256(files['row_4.pdf']));
  });

  it('[FILL2] output to standard output: the archive and nothing else', async () => {
    const { bytes } = await fill(sandbox, { pdf, layout, rows: csvOf(2) });
    const run = await runFill(sandbox, { pdf, layout, rows: csvOf(2), args: ['-o', '-'] });
    expect(run.status).toBe(0);
    expect(sha256(run.stdoutBytes)).toBe(sha256(bytes));
  });

  it('[FILL2] [FILL54] a merged file beside an archive on standard output: written as well', async () => {
    const merge = (file: string) =>
      runFill(sandbox, { pdf, layout, rows: csvOf(2), args: ['--merge', file] });
    await merge('merged.pdf');
    const { stdoutBytes } = await merge('-');
    expect(sha256(stdoutBytes)).toBe(sha256(await sandbox.read('merged.pdf')));
  });
});

describe('[FILL4] placements', () => {
  const overlay = {
    id: 'a',
    type: 'text',
    page: 1,
    x: 50,
    y: 60,
    width: 100,
    height: 20,
    size: 10,
    value: { static: 'HERE' },
  };

  it('any page boxes, rotation and unit: placements refer to the page as displayed', async () => {
    // All of these are displayed 400 points wide and 500 high.
    const pages: TestPage[] = [
      { mediaBox: [100, 200, 500, 700] },
      { mediaBox: [0, 0, 600, 800], cropBox: [50, 70, 450, 570] },
      { mediaBox: [0, 0, 400, 500], cropBox: [-50, -50, 450, 550] },
      { mediaBox: [0, 0, 500, 400], rotate: 90 },
      { mediaBox: [0, 0, 400, 500], rotate: 180 },
      { mediaBox: [0, 0, 900, 900], cropBox: [100, 200, 600, 600], rotate: 270 },
      { mediaBox: [0, 0, 200, 250], userUnit: 2 },
      { mediaBox: [0, 0, 250, 200], userUnit: 2, rotate: 90 },
    ];
    const overlays = pages.map((_, index) => ({ ...overlay, id: `a${index}`, page: index + 1 }));
    const { files } = await fill(sandbox, {
      pdf: sourcePdf({ pages }),
      layout: layoutOf(overlays),
      rows: 'x\n',
    });
    const read = await readPdf(files['row_1.pdf'] ?? new Uint8Array(0));
    expect(read).toHaveLength(pages.length);
    for (const [index, page] of read.entries()) {
      expect([page.width, page.height], `page ${index + 1}`).toEqual([400, 500]);
      const here = page.texts.find((text) => text.text === 'HERE');
      expect(here?.x, `page ${index + 1}`).toBeCloseTo(50, 0);
      expect(here?.y, `page ${index + 1}`).toBeGreaterThan(60);
      expect(here?.y, `page ${index + 1}`).toBeLessThan(76);
      expect(page.texts.map((text) => text.text)).toContain(`page ${index + 1}`);
    }
  });

  it('a PDF that has changed: placements stay, and missing pages are reported', async () => {
    const two = layoutOf([overlay, { ...overlay, id: 'b', page: 2 }]);
    const { files, manifest } = await fill(sandbox, {
      pdf: sourcePdf({ pages: [{ mediaBox: [0, 0, 300, 300] }] }),
      layout: two,
      rows: 'x\n',
    });
    const [read] = await readPdf(files['row_1.pdf'] ?? new Uint8Array(0));
    expect(read?.texts.find((text) => text.text === 'HERE')?.x).toBeCloseTo(50, 0);
    expect(manifest.row_results[0]).toMatchObject({
      status: 'partial',
      applied_overlay_count: 1,
      skipped_overlay_count: 1,
      warnings: [{ code: 'PAGE_MISSING', overlay_id: 'b' }],
    });
  });
});

async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

/** Date and time of every central directory record. */
function entryDates(bytes: Uint8Array): Set<string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const dates = new Set<string>();
  let at = view.getUint32(bytes.length - 6, true);
  while (view.getUint32(at, true) === 0x02014b50) {
    const time = view.getUint16(at + 12, true);
    const date = view.getUint16(at + 14, true);
    dates.add(`${1980 + (date >> 9)}-${(date >> 5) & 15}-${date & 31} ${time >> 11}:${(time >> 5) & 63}`);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return dates;
}
