import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSheet, SheetInvalid } from '#fill/sheet/read-sheet.ts';
import { parseLength, type Unit } from '../geometry/units.ts';
import {
  COUNTS,
  firstSheet,
  inUnit,
  LENGTHS,
  type OwnSizes,
  readSheetChoice,
  type SheetChoice,
  sheetCount,
  withOwnSizes,
} from './sheet-choice.ts';

const own = (sizes: Partial<OwnSizes>): SheetChoice => {
  const choice = withOwnSizes(firstSheet());
  return { ...choice, own: { ...choice.own, ...sizes } };
};

describe('a sheet of labels as it was typed', () => {
  it('[EDT231] a preset: is the sheet of that name', () => {
    const { sheet } = readSheetChoice({ ...firstSheet(), skip: '3', order: 'down', marks: true });
    expect(sheet).toEqual(readSheet({ preset: 'avery-l7159', skip: 3, order: 'down', marks: true }));
  });

  it('[EDT231] own sizes begin as those of the preset and survive another unit', () => {
    const { sheet: preset } = readSheetChoice(firstSheet());
    for (const unit of ['mm', 'in', 'pt'] as const) {
      const choice = withOwnSizes(firstSheet());
      const { sheet } = readSheetChoice({ ...choice, own: inUnit(choice.own, unit) });
      for (const name of LENGTHS) expect(sheet?.[name]).toBeCloseTo(preset?.[name] ?? 0, 2);
      for (const name of COUNTS) expect(sheet?.[name]).toBe(preset?.[name]);
    }
  });

  it.each([
    [{ columns: '4' }, ['width', 'columns', 'margin_left', 'pitch_x'], /labels end at .* mm, .* 210 mm wide/],
    [{ rows: '9' }, ['height', 'rows', 'margin_top', 'pitch_y'], /labels end at .* mm, .* 297 mm high/],
    [{ label_width: '80' }, ['label_width', 'pitch_x'], /labels overlap: each is 80 mm wide/],
    [{ label_height: '40' }, ['label_height', 'pitch_y'], /labels overlap: each is 40 mm high/],
    [{ width: 'wide' }, ['width'], /Sheet width: type a length/],
    [{ rows: '2.5' }, ['rows'], /Rows: type a whole number/],
    [{ columns: '100', rows: '100' }, ['columns', 'rows'], /more than 1,000/],
    [{ pitch_x: '0' }, ['pitch_x'], /Column pitch: type a length from/],
  ])('[EDT232] %j: names the inputs and both sizes in their unit', (sizes, fields, message) => {
    const { sheet, problem } = readSheetChoice(own(sizes));
    expect(sheet).toBeNull();
    expect(problem?.fields).toEqual(fields);
    expect(problem?.message).toMatch(message);
  });

  it('[EDT232] labels beyond the sheet: can still be drawn', () => {
    expect(readSheetChoice(own({ columns: '4' })).drawn?.columns).toBe(4);
    expect(readSheetChoice(own({ columns: 'x' })).drawn).toBeNull();
  });

  it.each([
    ['24', 'from 0 to 23'],
    ['-1', 'from 0 to 23'],
    ['', 'from 0 to 23'],
  ])('[EDT232] %j labels to skip: says which numbers are possible', (skip, words) => {
    const { problem } = readSheetChoice({ ...firstSheet(), skip });
    expect(problem).toEqual({ fields: ['skip'], message: expect.stringContaining(words) });
  });

  it('[EDT231] a preset that a later version no longer has: is a problem, not an exception', () => {
    expect(readSheetChoice({ ...firstSheet(), preset: 'avery-gone' }).problem?.fields).toEqual(['preset']);
  });

  it('[EDT232] any sizes: the editor accepts exactly what the server accepts', () => {
    const length = fc.oneof(fc.integer({ min: -2, max: 400 }), fc.constant(20_000));
    const sizes = fc.record({
      width: length,
      height: length,
      columns: fc.integer({ min: 0, max: 40 }),
      rows: fc.integer({ min: 0, max: 40 }),
      label_width: length,
      label_height: length,
      margin_left: length,
      margin_top: length,
      pitch_x: length,
      pitch_y: length,
    });
    const unit = fc.constantFrom<Unit>('mm', 'in', 'pt');
    fc.assert(
      fc.property(sizes, unit, (typed, shownUnit) => {
        const texts = Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, String(value)]));
        const { sheet } = readSheetChoice(own({ ...texts, unit: shownUnit }));
        const points = LENGTHS.map((name) => [name, parseLength(String(typed[name]), shownUnit)]);
        const { columns, rows } = typed;
        expect(sheet).toEqual(read({ columns, rows, ...Object.fromEntries(points) }));
      }),
      { numRuns: 300 },
    );
  });

  it('[EDT233] the number of sheets counts skipped labels', () => {
    const { sheet } = readSheetChoice({ ...firstSheet(), skip: '20' });
    if (sheet === null) throw new Error('bug: no sheet');
    expect([0, 1, 4, 5, 28, 29].map((rows) => sheetCount(sheet, rows))).toEqual([0, 1, 1, 2, 2, 3]);
  });
});

function read(value: object) {
  try {
    return readSheet(value);
  } catch (error) {
    if (error instanceof SheetInvalid) return null;
    throw error;
  }
}
