import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fill, layoutOf } from '../support/fill-cli.ts';
import { JudgeRoom, missingJudges } from '../support/judges.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { RENDERERS, type Renderer } from '../support/renderings.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { scanPicture } from '../support/scan-code.ts';

/**
 * Scans codes from the output of three renderers: all of them with ZXing, and the supported ones with zbar. All pages are
 * grey, so a code must draw its own white background; some pages and some codes are rotated.
 */
const missing = missingJudges('pdftoppm', 'mutool', 'zbarimg');
if (missing.length > 0) console.log(`judges of codes skipped: ${missing.join(', ')} not installed`);

/** The names in ZXing and zbar (null: zbar does not support it), a box large enough for rotation, and a tight one. */
const CODES = [
  {
    kind: { type: 'qr' },
    value: 'https://example.test/ticket/4711',
    zxing: 'QRCode',
    zbar: 'QR-Code',
    box: [15, 15, 110, 110],
    tight: [20, 20, 42, 42],
  },
  {
    kind: { type: 'barcode', symbology: 'datamatrix' },
    value: 'Data 123',
    zxing: 'DataMatrix',
    zbar: null,
    box: [155, 25, 90, 90],
    tight: [80, 20, 22, 22],
  },
  {
    kind: { type: 'barcode', symbology: 'code128' },
    value: 'LOT-0001',
    zxing: 'Code128',
    zbar: 'CODE-128',
    box: [25, 200, 170, 60],
    tight: [20, 80, 90, 20],
  },
  {
    kind: { type: 'barcode', symbology: 'ean13' },
    value: '9780201379624',
    zxing: 'EAN13',
    zbar: 'EAN-13',
    box: [290, 55, 120, 70],
    tight: [130, 80, 75, 25],
  },
  {
    kind: { type: 'barcode', symbology: 'pdf417' },
    value: 'Stacked rows 42',
    zxing: 'PDF417',
    zbar: null,
    box: [230, 245, 180, 70],
    tight: [20, 130, 90, 28],
  },
] as const;

/** Page entries, rotation of the overlays, whether the codes are small, and the scan resolution. */
const PAGES = [
  ['an ordinary page', '', 0, false, 150],
  ['a page rotated by 90', '/Rotate 90', 0, false, 150],
  ['a page rotated by 180', '/Rotate 180', 0, false, 150],
  ['a page rotated by 270, cropped', '/Rotate 270/CropBox[10 5 430 425]', 0, false, 150],
  ['codes rotated by 90', '', 90, false, 150],
  ['codes rotated by 180', '', 180, false, 150],
  ['codes rotated by 270', '/Rotate 90', 270, false, 150],
  ['codes askew', '', 7, false, 200],
  ['small codes', '', 0, true, 300],
] as const;

describe.skipIf(missing.length > 0)('codes', () => {
  let sandbox: CliSandbox;
  const room = new JudgeRoom();
  beforeAll(async () => {
    sandbox = await cliSandbox();
    const overlays = PAGES.flatMap(([, , rotation, isSmall], page) =>
      CODES.map(({ kind, box, tight }, index) => {
        const [x, y, width, height] = isSmall ? tight : box;
        const value = { column: `column_${index}` };
        return { id: `p${page}c${index}`, ...kind, page: page + 1, x, y, width, height, rotation, value };
      }),
    );
    const pages = PAGES.map(([, entries]) => ({ entries, content: '0.6 g 0 0 440 440 re f' }));
    const { files, manifest } = await fill(sandbox, {
      pdf: pagesPdf(pages, '/MediaBox[0 0 440 440]'),
      layout: layoutOf(overlays),
      rows: `${CODES.map(({ value }) => `"${value}"`).join(',')}\n`,
    });
    expect(manifest.summary).toMatchObject({
      applied_overlay_count: overlays.length,
      skipped_overlay_count: 0,
    });
    room.put('codes.pdf', files['row_1.pdf'] ?? '');
  });
  afterAll(async () => {
    room.close();
    await sandbox.remove();
  });

  const expected = CODES.map(({ zxing, value }) => `${zxing}: ${value}`).sort();
  const cases = PAGES.flatMap(([name, , , , dpi], index) =>
    Object.entries(RENDERERS).map(([viewer, render]) => [name, viewer, index + 1, dpi, render] as const),
  );
  it.each(cases)(
    '[FILL68][FILL69][FILL70] five codes on %s rendered by %s: ZXing reads all of them',
    async (...given) => {
      const [, , page, dpi, render]: readonly [string, string, number, number, Renderer] = given;
      const found = await scanPicture(await render(room, 'codes.pdf', dpi, page));
      expect(found.sort()).toEqual(expected);
    },
  );

  // zbar scans only along rows and columns of pixels.
  const straight = PAGES.map(([name, , rotation, , dpi], index) => ({
    name,
    page: index + 1,
    rotation,
    dpi,
  }));
  it.each(straight.filter(({ rotation }) => rotation % 90 === 0))(
    '[FILL68][FILL69][FILL70] zbar reads those it knows on: $name',
    ({ page, dpi }) => {
      const pages = ['-f', String(page), '-l', String(page), '-r', String(dpi), '-cropbox', '-singlefile'];
      room.run('pdftoppm', ...pages, '-png', 'codes.pdf', 'seen');
      const found = room.run('zbarimg', '-q', 'seen.png').trim().split('\n');
      const known = CODES.flatMap(({ zbar, value }) => (zbar === null ? [] : [`${zbar}:${value}`]));
      expect(found).toEqual(expect.arrayContaining(known));
    },
  );
});
