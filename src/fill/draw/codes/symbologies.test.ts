import bwip from 'bwip-js/node';
import { describe, expect, it } from 'vitest';
import { isLinear, SYMBOLOGIES, type Symbology } from '#fill/package/symbologies.ts';
import { bwipDrawing, difference, inkOf } from '../../../../test/support/bwip-drawing.ts';
import { drawingBench } from '../../../../test/support/drawn-row-pdf.ts';
import { type Picture, renderByPdfium } from '../../../../test/support/renderings.ts';
import { scanPicture } from '../../../../test/support/scan-code.ts';

/** Every symbology with a sample value from the encoder's own list; escapes are written out. */
const SAMPLES = new Map<Symbology, string>(
  bwip.symbolList.map(({ bcid, text }) => [
    bcid as Symbology,
    text.replaceAll('^CR', '\r').replaceAll('^LF', '\n'),
  ]),
);
SAMPLES.set('maxicode', 'MaxiCode 0001');
// Its category is an option that a layout cannot name.
SAMPLES.delete('d3aqr');

const GS1 = '(01)09521234543213';
/** The text that ZXing reads from the page, if it is not `format: value`. */
const READ: Partial<Record<Symbology, string>> = {
  azteccode: 'Aztec: This is Aztec Code',
  azteccodecompact: 'Aztec: 1234',
  aztecrune: 'Aztec: 001',
  code128: 'Code128: Count01234567!',
  code32: 'Code32: A012345676',
  code39: 'Code39: THIS IS CODE 39',
  code39ext: 'Code39Ext: Code39 Ext!',
  code93: 'Code93: THIS IS CODE 93',
  code93ext: 'Code93: Code93 Ext!',
  databarexpanded: `DataBarExp: ${GS1}(3103)000123`,
  databarexpandedcomposite: `DataBarExp: ${GS1}(3103)001234`,
  databarexpandedstacked: `DataBarExpStk: ${GS1}(3103)000123`,
  databarexpandedstackedcomposite: `DataBarExpStk: ${GS1}(10)ABCDEF`,
  databarlimited: `DataBarLtd: ${GS1}`,
  databarlimitedcomposite: `DataBarLtd: ${GS1}`,
  databaromni: `DataBarOmni: ${GS1}`,
  databaromnicomposite: `DataBarOmni: ${GS1}`,
  databarstacked: `DataBarStk: ${GS1}`,
  databarstackedcomposite: `DataBarStk: ${GS1}`,
  databarstackedomni: 'DataBarStk: (01)24012345678905',
  databarstackedomnicomposite: 'DataBarStk: (01)03612345678904',
  databartruncated: `DataBarOmni: ${GS1}`,
  databartruncatedcomposite: `DataBarOmni: ${GS1}`,
  datamatrix: 'DataMatrix: This is Data Matrix!',
  datamatrixrectangular: 'DataMatrix: 1234',
  datamatrixrectangularextension: 'DataMatrix: 1234',
  ean13: 'EAN13: 9520123456788',
  ean13composite: 'EAN13: 9520123456788',
  ean14: 'Code128: (01)09528765432108',
  ean8: 'EAN8: 95200002',
  ean8composite: 'EAN8: 95200002',
  'gs1-128': `Code128: ${GS1}(3103)000123`,
  'gs1-128composite': 'Code128: (00)095287654321012346',
  gs1datamatrix: `DataMatrix: ${GS1}(17)120508(10)ABCD1234(410)9501101020917`,
  gs1datamatrixrectangular: `DataMatrix: ${GS1}(17)120508(10)ABCD1234(410)9501101020917`,
  gs1dldatamatrix: 'DataMatrix: https://id.gs1.org/01/09521234543213/22/ABC%2D123?99=XYZ-987',
  gs1dlqrcode: 'QRCode: HTTPS://ID.GS1.ORG/01/09521234543213/22/ABC%2D123?99=XYZ-987',
  gs1northamericancoupon: 'DataBarExpStk: (8110)106141416543213500110000310123196000',
  gs1qrcode: `QRCode: ${GS1}(8200)http://www.abc.net(10)ABCD1234(410)9501101020917`,
  hibcazteccode: 'Aztec: +A999BJC5D6E71.',
  hibccode128: 'Code128: +A999BJC5D6E71.',
  hibcdatamatrix: 'DataMatrix: +A999BJC5D6E71.',
  hibcdatamatrixrectangular: 'DataMatrix: +A999BJC5D6E71.',
  hibcmicropdf417: 'MicroPDF417: +A999BJC5D6E71.',
  hibcpdf417: 'PDF417: +A999BJC5D6E71.',
  hibcqrcode: 'QRCode: +A999BJC5D6E71.',
  identcode: 'ITF: 563102430313',
  interleaved2of5: 'ITF: 2401234567',
  isbn: 'EAN13: 9781565812314',
  ismn: 'EAN13: 9790260532113',
  issn: 'EAN13: 9770311175001',
  itf14: 'ITF: 09521234543213',
  leitcode: 'ITF: 21348075016401',
  mailmark: `DataMatrix: ${SAMPLES.get('mailmark')}`,
  mands: 'EAN8: 00642118',
  maxicode: 'MaxiCode: MaxiCode 0001',
  micropdf417: 'MicroPDF417: MicroPDF417',
  microqrcode: 'MicroQRCode: 1234',
  pdf417: 'PDF417: This is PDF417',
  pdf417compact: 'PDF417: This is compact PDF417',
  pzn: 'Code39: -1234562',
  qrcode: 'QRCode: http://goo.gl/0bis',
  rationalizedCodabar: 'Codabar: A0123456789B',
  rectangularmicroqrcode: 'RMQRCode: 1234',
  sscc18: 'Code128: (00)095287654321012346',
  swissqrcode: `QRCode: ${SAMPLES.get('swissqrcode')}`,
  telepen: 'TelepenAlpha: ABCDEF',
  telepennumeric: 'TelepenNumeric: 01234567',
  upca: 'EAN13: 0012345000058',
  upcacomposite: 'EAN13: 0012345000058',
  upce: 'UPCE: 0012345000058',
  upcecomposite: 'UPCE: 0012345000058',
};

/** Options that scanners require and that bwip-js does not set by default, for its own drawing. */
const DEMANDED: Partial<Record<Symbology, object>> = {
  code11: { includecheck: true },
  msi: { includecheck: true },
};

const MARGIN = 10;
/** Points on the edges of modules differ by rounding; a wrong module moves a far larger share. Dots have more edge. */
const SQUARE = 0.04;
const ROUND = 0.08;

async function onPage(symbology: Symbology, width: number, height: number, dpi: number): Promise<Picture> {
  const overlay = {
    id: 'c',
    type: 'barcode',
    symbology,
    page: 1,
    x: MARGIN,
    y: MARGIN,
    width,
    height,
  } as const;
  const page = { width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  const bench = await drawingBench([{ ...overlay, value: { column: 'column_0' } }], page);
  return renderByPdfium(bench.pdf(SAMPLES.get(symbology) ?? ''), dpi);
}

describe('every symbology, as PDFium renders it', () => {
  const readable = SYMBOLOGIES.filter((symbology) => READ[symbology] !== undefined);
  it.each(readable)('[FILL155] %s: ZXing reads its value', async (symbology) => {
    const own = inkOf(await bwipDrawing({ bcid: symbology, ...sample(symbology) }));
    const found = await scanPicture(await onPage(symbology, own.width / 4, own.height / 4, 144));
    expect(found).toContain(READ[symbology]);
  });

  // ZXing reads Codablock F row by row as Code 128, and HIBC Code 39 as extended Code 39, so the values differ.
  const others = SYMBOLOGIES.filter(
    (symbology) => SAMPLES.has(symbology) && (READ[symbology] === undefined || COMPARED.has(symbology)),
  );
  it.each(others)('[FILL155] %s: looks like the drawing of bwip-js', async (symbology) => {
    const own = await bwipDrawing({ bcid: symbology, ...sample(symbology) });
    const { width, height } = inkOf(own);
    const drawn = await onPage(symbology, width / 8, height / 8, 1152);
    expect(difference(own, drawn)).toBeLessThan(symbology.includes('dotcode') ? ROUND : SQUARE);
  });

  it('[FILL155] the samples: cover all symbologies except the one that needs an option', () => {
    expect(SYMBOLOGIES.filter((symbology) => !SAMPLES.has(symbology))).toEqual(['d3aqr']);
  });
});

/** Drawn with parts that ZXing does not read: bearer bars, a cross, a second component. */
const COMPARED: ReadonlySet<Symbology> = new Set([
  'databarstackedcomposite',
  'ean13composite',
  'gs1-128composite',
  'itf14',
  'swissqrcode',
]);

function sample(symbology: Symbology): { text: string } {
  return {
    text: SAMPLES.get(symbology) ?? '',
    ...DEMANDED[symbology],
    ...(symbology === 'mailmark' && { type: '29' }),
    ...(symbology === 'rectangularmicroqrcode' && { version: 'R7x43' }),
  };
}

describe('check characters', () => {
  it.each(['code93', 'code93ext', 'code11', 'msi'] as const)(
    '[FILL155] %s: contains the check characters that scanners require',
    async (symbology) => {
      const { loadBarcodeEncoder } = await import('./barcode-encoder.ts');
      const value = '12345';
      const box = { symbology, width: 200, height: 50 };
      const made = (await loadBarcodeEncoder()).encoderFor(box)(value);
      if ('invalid' in made) throw new Error(made.invalid);
      const bars = (options: object) =>
        (bwip.raw({ bcid: symbology, text: value, ...options } as never)[0] as { sbs: number[] }).sbs.length;
      expect(2 * made.modules - 1).toBe(bars({ includecheck: true }) - ((bars({}) + 1) % 2));
      expect(bars({ includecheck: true })).toBeGreaterThan(bars({}));
    },
  );
});

it('[FILL157] linear symbologies: exactly those that the encoder draws as one row of bars', () => {
  for (const [symbology, text] of SAMPLES) {
    const [raw] = bwip.raw({ bcid: symbology, ...sample(symbology), text } as never) as [object];
    expect('sbs' in raw, symbology).toBe(isLinear(symbology));
  }
});
