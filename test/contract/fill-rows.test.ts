import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { box, type FilledArchive, fill, layoutOf, runFill } from '../support/fill-cli.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { sourcePdf } from '../support/source-pdf.ts';

let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = await cliSandbox();
});
afterAll(() => sandbox.remove());

const pdf = sourcePdf();
const text = (id: string, column: number, members: object = {}) => ({
  id,
  type: 'text',
  ...box,
  y: 100 + 30 * column,
  value: { column: `column_${column}` },
  ...members,
});
const at = { ...box, x: 300, width: 90, height: 90 };

function rowOf({ manifest }: FilledArchive, number: number) {
  const row = manifest.row_results[number - 1];
  if (row === undefined) throw new Error(`no row ${number}`);
  return row;
}

describe('what a row is counted as', () => {
  it('[FILL5][FILL8] blank text and a false show-if: counted as applied; omitted stickers are not counted', async () => {
    const layout = layoutOf([
      text('a', 0),
      text('b', 1, { show_if: { column: 'column_0', equals: 'yes' } }),
      { id: 's', type: 'sticker', ...box, y: 300 },
    ]);
    const archive = await fill(sandbox, { pdf, layout, rows: 'yes,B\nno,B\n,\nx\n' });
    for (const number of [1, 2, 3, 4]) {
      expect(rowOf(archive, number)).toMatchObject({
        status: 'success',
        applied_overlay_count: 2,
        skipped_overlay_count: 0,
        warnings: [],
      });
    }
    const texts = await Promise.all(
      [1, 2].map((number) => pageTexts(archive.files[`row_${number}.pdf`] ?? new Uint8Array(0))),
    );
    expect(texts).toEqual([['page 1 yes B'], ['page 1 no']]);

    const withStickers = await fill(sandbox, { pdf, layout, rows: 'yes,B\n', args: ['--include-stickers'] });
    expect(rowOf(withStickers, 1)).toMatchObject({ applied_overlay_count: 3, skipped_overlay_count: 0 });
    const onlySticker = layoutOf([{ id: 's', type: 'sticker', ...box }]);
    expect(rowOf(await fill(sandbox, { pdf, layout: onlySticker, rows: 'x\n' }), 1)).toMatchObject({
      status: 'partial',
      applied_overlay_count: 0,
      skipped_overlay_count: 0,
    });
  });

  it('[FILL6][FILL8] a code that cannot be encoded: skipped and named, and the row is partial', async () => {
    const layout = layoutOf([
      text('a', 0),
      { id: 'qr', type: 'qr', ...at, value: { column: 'column_1' } },
      { id: 'ean', type: 'barcode', symbology: 'ean13', ...at, y: 300, value: { column: 'column_2' } },
      { id: 'fixed', type: 'barcode', symbology: 'ean13', ...at, y: 420, value: { static: 'not digits' } },
      { id: 'empty', type: 'qr', ...at, y: 540, value: { static: ' ' } },
    ]);
    const archive = await fill(sandbox, { pdf, layout, rows: 'Ann,REF,4006381333931\nBob,,12\nEve\n' });
    const codes = (number: number) =>
      rowOf(archive, number)
        .warnings.map(({ code, overlay_id }) => `${overlay_id} ${code}`)
        .sort();
    const fixed = ['empty CODE_STATIC_INVALID', 'fixed CODE_STATIC_INVALID'];
    expect(codes(1)).toEqual(fixed);
    expect(rowOf(archive, 1)).toMatchObject({
      status: 'partial',
      applied_overlay_count: 3,
      skipped_overlay_count: 2,
    });
    expect(codes(2)).toEqual(['ean CODE_VALUE_INVALID', ...fixed, 'qr CODE_VALUE_BLANK'].sort());
    expect(codes(3)).toEqual(['ean CODE_VALUE_BLANK', ...fixed, 'qr CODE_VALUE_BLANK'].sort());
    expect(rowOf(archive, 3)).toMatchObject({
      status: 'partial',
      applied_overlay_count: 1,
      skipped_overlay_count: 4,
    });
    expect(archive.manifest.summary).toMatchObject({
      success_rows: 0,
      partial_rows: 3,
      applied_overlay_count: 5,
      skipped_overlay_count: 10,
    });
    expect(rowOf(archive, 1).warnings.every((warning) => warning.message.length > 0)).toBe(true);
  });

  it('[FILL6] clipped text and missing glyphs are notes: nothing is skipped', async () => {
    const layout = layoutOf([text('narrow', 0, { width: 20, fit: 'clip' }), text('b', 1)]);
    const archive = await fill(sandbox, {
      pdf,
      layout,
      rows: [{ column_0: 'a text much wider than its box', column_1: 'rune \u{16A0}\u{10FFFD}' }],
    });
    const row = rowOf(archive, 1);
    expect(row).toMatchObject({ status: 'success', applied_overlay_count: 2, skipped_overlay_count: 0 });
    expect(row.warnings.map((warning) => `${warning.overlay_id} ${warning.code}`).sort()).toEqual([
      'b GLYPH_MISSING',
      'narrow TEXT_CLIPPED',
    ]);
  });

  it('[FILL6] an image that is not found: is skipped; check marks have their words', async () => {
    const layout = layoutOf([
      { id: 'pic', type: 'image', ...at, value: { column: 'column_0' } },
      { id: 'tick', type: 'check', ...at, y: 300, width: 20, height: 20, value: { column: 'column_1' } },
      text('c', 2),
    ]);
    const dot =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const archive = await fill(sandbox, {
      pdf,
      layout,
      rows: [
        { column_0: dot, column_1: 'yes' },
        { column_0: 'nothing.png', column_1: 'maybe' },
        { column_1: 'no', column_2: 'x' },
      ],
    });
    expect(rowOf(archive, 1)).toMatchObject({ status: 'success', applied_overlay_count: 3 });
    expect(
      rowOf(archive, 2)
        .warnings.map((warning) => `${warning.overlay_id} ${warning.code}`)
        .sort(),
    ).toEqual(['pic IMAGE_MISSING', 'tick OPTION_UNKNOWN']);
    expect(rowOf(archive, 2)).toMatchObject({
      status: 'partial',
      applied_overlay_count: 1,
      skipped_overlay_count: 2,
    });
    expect(rowOf(archive, 3).warnings.filter((warning) => warning.overlay_id === 'tick')).toEqual([]);
  });
});

describe('[FILL7] a failed row', () => {
  const layout = layoutOf([text('a', 0), text('b', 1)]);

  it('a failed row: no PDF, no name and no counts; other rows are unchanged', async () => {
    const rows = [
      { column_0: 'one' },
      { column_0: { nested: true } },
      { column_0: 'three', column_9: ['not', 'mapped'] },
      { column_0: 'x'.repeat(10_001) },
      { column_0: '😀'.repeat(10_000), column_1: 'fits' },
    ];
    const archive = await fill(sandbox, { pdf, layout, rows });
    expect(archive.manifest.row_results.map((row) => row.error?.code ?? row.status)).toEqual([
      'success',
      'ROW_VALUE_INVALID',
      'success',
      'ROW_VALUE_TOO_LONG',
      'success',
    ]);
    expect(rowOf(archive, 2)).toMatchObject({
      status: 'failed',
      file_name: null,
      sha256: null,
      applied_overlay_count: 0,
      skipped_overlay_count: 0,
    });
    expect(archive.manifest.summary).toMatchObject({
      produced_rows: 3,
      failed_rows: 2,
      applied_overlay_count: 6,
      skipped_overlay_count: 0,
    });
    expect(Object.keys(archive.files)).toEqual(['row_1.pdf', 'row_3.pdf', 'row_5.pdf', 'manifest.json']);
  });

  it('[FILL16] a row above the complexity limit: fails as too complex', async () => {
    const many = layoutOf(
      Array.from({ length: 30 }, (_, index) => text(`t${index}`, 0, { fit: 'clip', y: index })),
    );
    const archive = await fill(sandbox, {
      pdf,
      layout: many,
      rows: [{ column_0: 'short' }, { column_0: 'x'.repeat(10_000) }],
    });
    expect(archive.manifest.row_results.map((row) => row.error?.code ?? row.status)).toEqual([
      'success',
      'ROW_TOO_COMPLEX',
    ]);
  });
});

describe('[FILL24] what is likely a mistake', () => {
  it('columns without a value in any row: named, and the run continues', async () => {
    const layout = layoutOf([text('a', 0), text('b', 7)], {
      columns: [
        { key: 'column_0', label: 'Name' },
        { key: 'column_7', label: 'Town' },
      ],
    });
    const args = ['--filename-columns', 'Name,Town,Street'];
    const { status, stderr } = await runFill(sandbox, {
      pdf,
      layout,
      rows: [{ column_0: 'A', Town: '' }],
      args,
    });
    expect(status).toBe(0);
    expect(stderr).toContain('warning: the layout uses column_7, but the rows have values in column_0\n');
    expect(stderr).toContain('warning: --filename-columns has Town, Street, but the rows have values in');
    const right = await runFill(sandbox, { pdf, layout, rows: [{ column_0: 'A', column_7: 'B' }] });
    expect(right.stderr).toMatch(/^1 of 1 rows → \S+ \(\d+ bytes\)\n$/);
  });

  it('failed rows: named at the end', async () => {
    const rows = [{ column_0: 'A' }, ...Array.from({ length: 6 }, () => ({ column_0: [] }))];
    const { stderr } = await runFill(sandbox, { pdf, layout: layoutOf([text('a', 0)]), rows });
    expect(stderr).toMatch(
      /^1 of 7 rows → \S+ \(\d+ bytes\); 6 failed \(2, 3, 4, 5, 6, …\), manifest.json says why\n$/,
    );
  });
});

describe('[FILL167] rows with notes', () => {
  const layout = layoutOf([
    { id: 'name', type: 'text', ...box, value: { column: 'column_0' }, fit: 'clip' },
    { id: 'code', type: 'qr', ...box, y: 300, value: { column: 'column_1' } },
  ]);
  const notes = async (rows: string) => {
    const run = await runFill(sandbox, { pdf, layout, rows });
    return { report: JSON.parse(run.stdout), stderr: run.stderr, status: run.status };
  };

  it('[FILL167] a cut text and a missing glyph: are counted as rows with notes, not as plain successes', async () => {
    const { report, stderr, status } = await notes(`Ada,1\n${'long '.repeat(60)},2\n\u{1242b},3\n`);
    expect(status).toBe(0);
    expect(report).toMatchObject({ noted_rows: 2, summary: { success_rows: 3, partial_rows: 0 } });
    expect(stderr).toContain('; 2 with notes (2, 3), see manifest.json');
  });

  it('[FILL167] rows without notes and partial rows: are not counted', async () => {
    const { report, stderr } = await notes('Ada,1\nBob,\n');
    expect(report).toMatchObject({ noted_rows: 0, summary: { success_rows: 1, partial_rows: 1 } });
    expect(stderr).not.toContain('with notes');
  });
});

describe('[FILL18] the threshold', () => {
  const layout = layoutOf([text('a', 0)]);
  const rows = Array.from({ length: 10 }, (_, i) => ({ column_0: [1, 4, 5].includes(i) ? [] : 'x' }));

  it('a crossed threshold: exit code 3, the counts of a run row by row, and no archive', async () => {
    for (const threads of ['1', '2']) {
      const run = await runFill(sandbox, {
        pdf,
        layout,
        rows,
        args: ['-o', 'no.zip', '--max-failed-row-percent', '20', '--threads', threads],
      });
      expect(run.status).toBe(3);
      expect(run.json()).toEqual({
        code: 'FAILED_ROW_THRESHOLD_EXCEEDED',
        message: 'The export job exceeded max_failed_row_percent and was aborted.',
        details: {
          failure_class: 'threshold_failed',
          input_row_count: 10,
          produced_row_count: 3,
          failed_row_count: 3,
          failed_row_percent: 30,
          max_failed_row_percent: 20,
        },
      });
      expect(existsSync(sandbox.path('no.zip'))).toBe(false);
    }
  });

  it('exactly the limit, and all rows at 100: not crossed', async () => {
    const kept = await fill(sandbox, { pdf, layout, rows, args: ['--max-failed-row-percent', '30'] });
    expect(kept.manifest.summary).toMatchObject({ produced_rows: 7, failed_rows: 3 });
    const none = await fill(sandbox, {
      pdf,
      layout,
      rows: [{ column_0: {} }],
      args: ['--max-failed-row-percent', '100'],
    });
    expect(Object.keys(none.files)).toEqual(['manifest.json']);
    expect(none.manifest.summary).toMatchObject({ produced_rows: 0, failed_rows: 1 });
  });
});

describe('[FILL17] file names', () => {
  it('file names: contain the chosen columns, by key or by label', async () => {
    const layout = layoutOf([text('a', 0)], { columns: [{ key: 'column_1', label: 'Ref' }] });
    const { files, manifest } = await fill(sandbox, {
      pdf,
      layout,
      rows: [{ column_0: 'Zoë/Ann, "x".', column_1: 'R1' }, { column_0: '  ' }],
      args: ['--filename-columns', 'column_0,Ref,nope'],
    });
    expect(manifest.row_results.map((row) => row.file_name)).toEqual([
      'row_1_Zoë-Ann, -x-._R1.pdf',
      'row_2.pdf',
    ]);
    expect(Object.keys(files)).toEqual(['row_1_Zoë-Ann, -x-._R1.pdf', 'row_2.pdf', 'manifest.json']);
  });
});
