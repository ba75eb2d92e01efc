import { describe, expect, it } from 'vitest';
import { SYMBOLOGIES, type Symbology } from '#fill/package/symbologies.ts';
import { drawingBench } from '../../../../test/support/drawn-row-pdf.ts';
import { scanGrid } from '../../../../test/support/scan-code.ts';
import { loadBarcodeEncoder } from './barcode-encoder.ts';
import { type ModuleGrid, mergeModules } from './module-grid.ts';
import { qrGrid } from './qr-code.ts';
import { quietZoneOf } from './quiet-zone.ts';

async function grid(symbology: Symbology, value: string): Promise<ModuleGrid> {
  const encoder = await loadBarcodeEncoder();
  const made = encoder.encoderFor({ symbology, width: 200, height: 100 })(value);
  if ('invalid' in made) throw new Error(made.invalid);
  return made;
}

/** The extent of the drawing, to measure the quiet zone around it. */
function inked({ rectangles }: ModuleGrid) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < rectangles.length; at += 4) {
    const [x = 0, y = 0, w = 0, h = 0] = [0, 1, 2, 3].map((offset) => rectangles[at + offset]);
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + w), Math.max(bottom, y + h)];
  }
  return { left, top, right, bottom };
}

const overlay = {
  id: 'code',
  page: 1,
  x: 50,
  y: 60,
  width: 100,
  height: 80,
  value: { column: 'column_0' },
};

describe('QR codes', () => {
  it.each([
    ['https://example.org/verify/0001', 'M'],
    ['HELLO WORLD 123', 'H'],
    ['0123456789012345', 'L'],
    ['Grüße, 漢字 und Ελλάδα', 'Q'],
    ['x'.repeat(1200), 'L'],
  ] as const)('[FILL68] %s at level %s: scans as its value', async (value, ecc) => {
    const made = qrGrid(value, ecc);
    if (made === undefined) throw new Error('not encoded');
    expect(await scanGrid(made, 'QRCode')).toEqual([value]);
  });

  it('[FILL68] any value: has a quiet zone of four modules on a white background', async () => {
    const made = qrGrid('https://example.org', 'M');
    if (made === undefined) throw new Error('not encoded');
    expect(inked(made)).toEqual({ left: 4, top: 4, right: made.width - 4, bottom: made.height - 4 });
    const bench = await drawingBench([{ ...overlay, type: 'qr' }]);
    const content = new TextDecoder('latin1').decode(bench.draw('https://example.org').slots[0]?.content);
    // The largest square in the box, centred: 80 pt at x 60; the page is 842 pt high.
    expect(content).toMatch(/^1 g\n60 702 80 80 re f\n0 g\nq [\d.]+ 0 0 -[\d.]+ 60 782 cm\n/);
    expect(content).toMatch(/f\*\nQ\n$/);
  });

  it('[FILL69] a blank or overlong value: skipped with the reason', async () => {
    const bench = await drawingBench([{ ...overlay, type: 'qr' }]);
    expect(bench.draw('  ')).toMatchObject({
      applied: 0,
      skipped: 1,
      warnings: [{ code: 'CODE_VALUE_BLANK' }],
    });
    expect(bench.draw('é'.repeat(2000))).toMatchObject({
      skipped: 1,
      warnings: [{ code: 'CODE_VALUE_INVALID', overlay_id: 'code' }],
    });
    const fixed = await drawingBench([{ ...overlay, type: 'qr', value: { static: 'é'.repeat(2000) } }]);
    expect(fixed.draw()).toMatchObject({ skipped: 1, warnings: [{ code: 'CODE_STATIC_INVALID' }] });
  });
});

describe('barcodes', () => {
  it.each([
    ['code128', 'LOT-0001 é', 'Code128'],
    ['ean13', '9520123456788', 'EAN13'],
    ['datamatrix', 'Grüße 漢字 0001', 'DataMatrix'],
    ['pdf417', 'This is PDF417 text, 0123456789', 'PDF417'],
    ['azteccode', 'Aztec 42', 'Aztec'],
    ['code39', 'CODE 39', 'Code39'],
    ['itf14', '09521234543213', 'ITF'],
    ['ean8', '95200002', 'EAN8'],
    ['rectangularmicroqrcode', 'RMQR 1234', 'rMQRCode'],
  ] as const)('[FILL69] %s: scans as its value', async (symbology, value, format) => {
    expect(await scanGrid(await grid(symbology, value), format)).toEqual([value]);
  });

  it('[FILL70] any box: contains the quiet zone', async () => {
    const bars = await grid('code128', 'LOT-0001');
    expect(inked(bars)).toMatchObject({ left: 10, right: bars.width - 10 });
    const matrix = await grid('datamatrix', 'LOT-0001');
    expect(inked(matrix)).toEqual({ left: 2, top: 2, right: matrix.width - 2, bottom: matrix.height - 2 });
    for (const symbology of SYMBOLOGIES) expect(quietZoneOf(symbology).x).toBeGreaterThanOrEqual(2);
  });

  it('[FILL70] linear and matrix codes: bars are stretched to the box, a matrix keeps its shape', async () => {
    expect((await grid('code128', 'A')).square).toBe(false);
    expect((await grid('datamatrix', 'A')).square).toBe(true);
  });

  it('[FILL69] symbols of hexagons, dots, colours or rows of unequal height: drawn', async () => {
    for (const [symbology, value] of [
      ['maxicode', 'MaxiCode'],
      ['dotcode', 'DotCode'],
      ['ultracode', 'colours'],
      ['databarstacked', '(01)09521234543213'],
      ['ean13composite', '9520123456788|(99)1234-abcd'],
    ] as const) {
      const made = await grid(symbology, value);
      expect(made.painting?.length ?? 0).toBeGreaterThan(200);
    }
    expect((await grid('ultracode', 'colours')).painting).toMatch(/ rg\n/);
  });

  it('[FILL69] a value that cannot be encoded: skipped with the reason', async () => {
    const bench = await drawingBench([{ ...overlay, type: 'barcode', symbology: 'ean13' }]);
    const { warnings } = bench.draw('9520123456789');
    expect(warnings).toEqual([
      {
        code: 'CODE_VALUE_INVALID',
        message: 'The value cannot be encoded: Incorrect EAN-13 check digit provided.',
        overlay_id: 'code',
      },
    ]);
    expect(bench.draw('')).toMatchObject({ skipped: 1, warnings: [{ code: 'CODE_VALUE_BLANK' }] });
    const fixed = await drawingBench([
      { ...overlay, type: 'barcode', symbology: 'ean13', value: { static: 'abc' } },
    ]);
    expect(fixed.draw()).toMatchObject({ skipped: 1, warnings: [{ code: 'CODE_STATIC_INVALID' }] });
  });

  it('[FILL69] a character outside the symbology: never encoded as another character', async () => {
    const encoder = await loadBarcodeEncoder();
    expect(encoder.encoderFor({ symbology: 'code128', width: 200, height: 100 })('漢字')).toEqual({
      invalid: 'this symbology cannot carry U+6F22.',
    });
    expect(
      encoder.encoderFor({ symbology: 'code128', width: 200, height: 100 })('x'.repeat(8000)),
    ).toHaveProperty('invalid');
  });

  it('[FILL69] an invalid value in any symbology: rejected with a reason, without an exception', async () => {
    const encoder = await loadBarcodeEncoder();
    const outcomes = SYMBOLOGIES.map((symbology) =>
      encoder.encoderFor({ symbology, width: 200, height: 100 })('\u0001~é"'),
    );
    for (const outcome of outcomes) {
      if ('invalid' in outcome) expect(outcome.invalid).toMatch(/\.$/);
      else expect(outcome.modules).toBeGreaterThan(0);
    }
    expect(outcomes.filter((outcome) => 'invalid' in outcome).length).toBeGreaterThan(60);
  });
});

describe('mergeModules', () => {
  it('any pattern: covers each dark module exactly once', () => {
    const rows = ['##..#', '##..#', '.###.', '.###.', '#...#'];
    const rectangles = mergeModules(5, 5, (x, y) => rows[y]?.[x] === '#');
    expect(rectangles).toEqual([0, 0, 2, 2, 4, 0, 1, 2, 1, 2, 3, 2, 0, 4, 1, 1, 4, 4, 1, 1]);
  });
});
