import { describe, expect, it } from 'vitest';
import { type LayoutInput, layoutSchema } from '#fill/package/layout-schema.ts';
import type { Symbology } from '#fill/package/symbologies.ts';
import { bwipDrawing, inkOf } from '../../../../test/support/bwip-drawing.ts';
import { drawingBench } from '../../../../test/support/drawn-row-pdf.ts';
import { pageTexts } from '../../../../test/support/read-pdf.ts';
import { renderByPdfium } from '../../../../test/support/renderings.ts';
import { scanPicture } from '../../../../test/support/scan-code.ts';
import { MM } from './code-size.ts';

const MARGIN = 10;
const page = (width: number, height: number) => ({ width: width + 2 * MARGIN, height: height + 2 * MARGIN });

function bench(look: object, width: number, height: number) {
  const box = { id: 'code', page: 1, x: MARGIN, y: MARGIN, width, height };
  const overlay = { type: 'barcode', ...box, value: { column: 'column_0' }, ...look };
  return drawingBench([overlay] as LayoutInput['overlays'], page(width, height));
}

const notes = async (look: object, width: number, height: number, value: string) =>
  (await bench(look, width, height)).draw(value).warnings;

describe('[FILL153] codes too small to scan', () => {
  it('a QR code with modules below 0.19 mm: drawn, with a note that names the box it needs', async () => {
    const value = 'https://example.org';
    // 25 modules and 4 on each side.
    const least = 33 * 0.19 * MM;
    expect(await notes({ type: 'qr' }, least + 0.01, 80, value)).toEqual([]);
    const small = (await bench({ type: 'qr' }, least - 0.1, 80)).draw(value);
    expect(small).toMatchObject({ applied: 1, skipped: 0 });
    expect(small.warnings).toEqual([
      {
        code: 'CODE_TOO_SMALL',
        message:
          'A module is 0.189 mm wide; scanners need 0.19 mm, so the box must be at least 6.3 × 6.3 mm.',
        overlay_id: 'code',
      },
    ]);
  });

  it.each([
    ['code128', 'LOT-0001', 50, 'A module is 0.1'],
    ['datamatrix', 'LOT-0001', 8, 'A module is 0.1'],
    ['pdf417', 'LOT-0001', 50, 'A module is 0.1'],
    ['dotcode', 'LOT-0001', 14, 'A module is 0.1'],
    ['royalmail', 'LE28HS9Z', 100, 'The bars are 0.8'],
  ] as const)('%s in a box that is too small: adds a note', async (symbology, value, width, message) => {
    const [note, ...others] = await notes({ symbology }, width, 40, value);
    expect(others).toEqual([]);
    expect(note).toMatchObject({ code: 'CODE_TOO_SMALL', message: expect.stringContaining(message) });
  });

  it('a box of the size that the note recommends: large enough', async () => {
    for (const [symbology, value] of [
      ['code128', 'LOT-0001'],
      ['datamatrix', 'LOT-0001'],
      ['royalmail', 'LE28HS9Z'],
    ] as const) {
      const [note] = await notes({ symbology }, 8, 8, value);
      const [, width = '', height = '15'] =
        /at least ([0-9.]+)(?: × ([0-9.]+))? mm/.exec(note?.message ?? '') ?? [];
      const [wide, high] = [Number(width) * MM, Number(height) * MM];
      expect(await notes({ symbology }, wide, high, value), symbology).toEqual([]);
      expect(await notes({ symbology }, wide - 0.2 * MM, high, value), symbology).toHaveLength(1);
    }
  });
});

describe('[FILL154] Swiss QR codes', () => {
  const value = 'SPC\r\n0200\r\n1\r\nCH4431999123000889012\r\nS';
  const inked = async (side: number) => {
    const made = await bench({ symbology: 'swissqrcode' }, side * MM, side * MM);
    const ink = inkOf(await renderByPdfium(made.pdf(value), 360));
    return { millimetres: (ink.width / 360) * 25.4, warnings: made.draw(value).warnings };
  };

  it.each([46, 56, 80])('a box of %d mm: the symbol is 46 mm wide', async (side) => {
    const { millimetres, warnings } = await inked(side);
    expect(millimetres).toBeCloseTo(46, 0);
    expect(warnings).toEqual([]);
  });

  it('a smaller box: draws a smaller symbol and adds a note', async () => {
    const { millimetres, warnings } = await inked(40);
    expect(millimetres).toBeLessThan(40);
    expect(warnings).toMatchObject([
      { code: 'CODE_TOO_SMALL', message: 'The symbol must be 46.0 mm wide and its box is smaller.' },
    ]);
  });

  it('the cross: black, 6 mm wide, with white arms; the code still scans', async () => {
    const made = await bench({ symbology: 'swissqrcode' }, 56 * MM, 56 * MM);
    const picture = await renderByPdfium(made.pdf(value), 360);
    const at = (x: number, y: number) => {
      const pixel = (millimetres: number) => Math.round((((28 + millimetres) * MM + MARGIN) / 72) * 360);
      return picture.pixels[pixel(y) * picture.width + pixel(x)];
    };
    expect([at(0, 0), at(1, 0), at(0, -1)]).toEqual([255, 255, 255]);
    expect([at(2.6, 2.6), at(-2.6, 2.6), at(1.5, 1.5)]).toEqual([0, 0, 0]);
    expect([at(3.25, 0), at(0, -3.25), at(3.25, 3.25)]).toEqual([255, 255, 255]);
    expect(await scanPicture(picture)).toEqual([`QRCode: ${value}`]);
  });
});

it('[FILL156] an ITF-14 code in a box of any shape: has bearer bars of four modules on all sides', async () => {
  for (const [width, height] of [
    [300, 60],
    [200, 150],
  ] as const) {
    const made = await bench({ symbology: 'itf14' }, width, height);
    const { pixels, width: across } = await renderByPdfium(made.pdf('09521234543213'), 720);
    const column = (x: number, y: number) => pixels[Math.round(y * 10) * across + Math.round(x * 10)] ?? 0;
    const module = width / 163;
    const thick = 4 * module;
    for (const inset of [0.2, thick - 0.3]) {
      // In the quiet zone, which has no bars.
      const x = MARGIN + thick + 5 * module;
      expect([column(x, MARGIN + inset), column(x, MARGIN + height - inset)]).toEqual([0, 0]);
      expect([column(MARGIN + inset, 30), column(MARGIN + width - inset, 30)]).toEqual([0, 0]);
    }
    expect(column(MARGIN + thick + 5 * module, MARGIN + thick + 0.5)).toBe(255);
    expect(column(MARGIN + thick + 0.5, MARGIN + height / 2)).toBe(255);
  }
});

describe('[FILL157] text below the bars', () => {
  it.each([
    ['ean13', '952012345678', '9 520123 456788', ['EAN13: 9520123456788']],
    ['ean8', '9520000', '9520 0002', ['EAN8: 95200002']],
    ['upca', '01234500005', '0 12345 00005 8', ['EAN13: 0012345000058']],
    ['upce', '0123455', '0 123455 8', ['UPCE: 0012345000058']],
    ['itf14', '0952123454321', '09521234543213', ['ITF: 09521234543213']],
    ['code128', 'LOT-0001 é', 'LOT-0001 é', ['Code128: LOT-0001 é']],
    ['code93ext', 'Lot 93', 'Lot 93', ['Code93: Lot 93']],
    ['gs1-128', '(01)09521234543213', '(01)09521234543213', ['Code128: (01)09521234543213']],
    ['databarexpanded', '(01)09521234543213', '(01)09521234543213', ['DataBarExp: (01)09521234543213']],
    ['isbn', '978-1-56581-231-4 90000', '9781565812314 90000', ['EAN13: 9781565812314']],
    ['msi', '123', '1230', []],
  ] as const)('%s of %s: shows %s, and the code still scans', async (symbology, value, text, scanned) => {
    const made = await bench({ symbology, human_readable: true }, 180, 70);
    expect(made.draw(value).warnings).toEqual([]);
    const pdf = made.pdf(value);
    const [shown] = await pageTexts(pdf);
    expect(shown?.replace(/ +/g, ' ')).toBe(text);
    const found = await scanPicture(await renderByPdfium(pdf, 300));
    expect(found).toEqual(scanned);
  });

  it.each([
    ['msi', '1230', '12302'],
    ['code11', '123-455', '123-4552'],
  ] as const)(
    '[FILL155] %s of %s, which ends in its check digit: adds another check digit',
    async (symbology, value, text) => {
      const made = await bench({ symbology, human_readable: true }, 180, 70);
      expect(await pageTexts(made.pdf(value))).toEqual([text]);
    },
  );

  it('without the option: draws no text', async () => {
    const pdf = (await bench({ symbology: 'ean13' }, 180, 70)).pdf('9520123456788');
    expect(await pageTexts(pdf)).toEqual(['']);
  });

  it('a symbology that is not linear: rejected by the schema', () => {
    const overlay = (symbology: Symbology) => ({
      ...{ id: 'c', type: 'barcode', symbology, page: 1, x: 0, y: 0, width: 9, height: 9 },
      ...{ value: { static: '1' }, human_readable: true },
    });
    const parse = (symbology: Symbology) =>
      layoutSchema.safeParse({ format: 'rowpress.layout', version: 1, overlays: [overlay(symbology)] });
    expect(parse('code128').success).toBe(true);
    expect(parse('datamatrix').error?.issues).toMatchObject([
      { path: ['overlays', 0, 'human_readable'], message: 'must not be true: this symbology is not linear' },
    ]);
  });
});

it('[FILL155] interleaved 2 of 5: has wide bars of three modules, like bwip-js', async () => {
  const own = await bwipDrawing({ bcid: 'interleaved2of5', text: '2401234567' });
  expect(inkOf(own).width / 8).toBe(99);
});
