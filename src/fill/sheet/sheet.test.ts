import { describe, expect, it } from 'vitest';
import { SHEET_PRESETS } from './presets.ts';
import { parseSheet, readSheet, readSheetJson } from './read-sheet.ts';
import { fitOf, placeOf } from './sheet.ts';

const geometry = {
  ...{ width: 600, height: 800, columns: 2, rows: 3, margin_left: 20, margin_top: 10 },
  ...{ pitch_x: 280, pitch_y: 260 },
};
const sheet = readSheet(geometry);

describe('sheets', () => {
  it('[BF177] every preset: has its own name, fits its paper, and has equal margins', () => {
    expect(SHEET_PRESETS.length).toBeGreaterThanOrEqual(30);
    expect(new Set(SHEET_PRESETS.map(({ preset }) => preset)).size).toBe(SHEET_PRESETS.length);
    for (const { preset, paper, geometry: own } of SHEET_PRESETS) {
      expect([own.width, own.height]).toEqual(paper === 'A4' ? [595.276, 841.89] : [612, 792]);
      expect(readSheet(own), preset).toEqual({ ...own, skip: 0, order: 'across', marks: false });
      const right = own.width - own.margin_left - (own.columns - 1) * own.pitch_x - own.label_width;
      expect(Math.abs(right - own.margin_left), preset).toBeLessThan(0.02);
    }
    const l7160 = SHEET_PRESETS.find(({ preset }) => preset === 'avery-l7160')?.geometry;
    // 63.5 mm × 38.1 mm, 7.25 mm from the left and 15.15 mm from the top.
    expect(l7160).toMatchObject({ columns: 3, rows: 7, label_width: 180, label_height: 108 });
    expect([l7160?.margin_left, l7160?.margin_top]).toEqual([20.551, 42.945]);
    const { geometry: badge } = SHEET_PRESETS.find(({ preset }) => preset === 'avery-5395') ?? {};
    expect(badge).toMatchObject({ margin_left: 49.5, margin_top: 42, pitch_x: 270, pitch_y: 180 });
  });

  it('[BF175] a preset by its name or as JSON, and its geometry: the same sheet', () => {
    const own = SHEET_PRESETS.find(({ preset }) => preset === 'avery-5160')?.geometry;
    expect(readSheetJson('{"preset":"avery-5160"}')).toEqual(readSheet({ ...own, skip: 0, marks: false }));
    expect(parseSheet(' avery-5160 ')).toEqual(readSheet({ preset: 'avery-5160', order: 'across' }));
    expect(parseSheet('{"preset":"avery-5160","skip":2}')).toMatchObject({ skip: 2, columns: 3 });
  });

  it('[BF175] across and down, with skipped labels: the place of each row', () => {
    const across = { ...sheet, skip: 1 };
    expect(placeOf(across, 0)).toEqual({ page: 0, x: 300, y: 530 });
    expect(placeOf(across, 1)).toEqual({ page: 0, x: 20, y: 270 });
    expect(placeOf(across, 5)).toEqual({ page: 1, x: 20, y: 530 });
    const down = { ...across, order: 'down' as const };
    expect(placeOf(down, 0)).toEqual({ page: 0, x: 20, y: 270 });
    expect(placeOf(down, 2)).toEqual({ page: 0, x: 300, y: 530 });
  });

  it('[FILL241] a smaller page keeps its size; a larger one is scaled down and centred', () => {
    expect(fitOf(sheet, { width: 100, height: 260 })).toEqual({ scale: 1, x: 0, y: 0 });
    expect(fitOf(sheet, { width: 280, height: 520 })).toEqual({ scale: 0.5, x: 70, y: 0 });
  });

  it.each([
    ['sheet must be a JSON object', []],
    ['sheet must be a JSON object', 'avery-l7160'],
    ['sheet.preset must be a name that GET /v1/bulkfill/sheets lists', { preset: 'avery-0' }],
    ['sheet.preset must be', { preset: '__proto__' }],
    ['sheet.rows is not allowed with sheet.preset.', { preset: 'avery-l7160', rows: 2 }],
    ['sheet.size is unknown.', { ...geometry, size: 1 }],
    ['sheet.width is missing.', { ...geometry, width: undefined }],
    ['sheet.width must be a number of points from 1 to 14400, but is "600".', { ...geometry, width: '600' }],
    ['sheet.height must be a number of points', { ...geometry, height: Number.NaN }],
    ['sheet.columns must be an integer from 1 to 1000, but is 1.5.', { ...geometry, columns: 1.5 }],
    ['sheet.rows must be an integer', { ...geometry, rows: 0 }],
    ['sheet.rows must make at most 1000 cells', { ...geometry, columns: 40, rows: 40 }],
    ['sheet.margin_left must be a number of points from 0', { ...geometry, margin_left: -1 }],
    ['sheet.margin_top must be', { ...geometry, margin_top: 20_000 }],
    ['sheet.pitch_x must be', { ...geometry, pitch_x: 0 }],
    ['sheet.label_width must be at most sheet.pitch_x (280), but is 281.', { ...geometry, label_width: 281 }],
    ['sheet.width is 600 points, but the labels end at 620 points.', { ...geometry, margin_left: 60 }],
    ['sheet.height is 800 points, but the labels end at 830 points.', { ...geometry, margin_top: 50 }],
    ['sheet.skip must be an integer from 0 to 5, but is 6.', { ...geometry, skip: 6 }],
    ['sheet.order must be across or down, but is "up".', { ...geometry, order: 'up' }],
    ['sheet.marks must be true or false, but is 1.', { ...geometry, marks: 1 }],
  ])('[BF176] bad geometry: %s', (message, value) => {
    expect(() => readSheet(value)).toThrow(message);
  });
});
