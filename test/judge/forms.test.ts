import { PDFiumLibrary } from '@hyzyla/pdfium';
import { afterAll, describe, expect, it } from 'vitest';
import { formPdf } from '../support/form-source.ts';
import { JudgeRoom, missingJudges } from '../support/judges.ts';
import { prepareForTest } from '../support/prepared.ts';

const missing = missingJudges('qpdf', 'pdftotext', 'pdftoppm', 'mutool', 'pdftk');
if (missing.length > 0) console.log(`judges of forms skipped: ${missing.join(', ')} not installed`);

const room = new JudgeRoom();
afterAll(() => room.close());

const NAMES = ['employee.name', 'note', 'pin', 'amount', 'city', 'agree', 'bare', 'colour', 'size', 'turned'];
const form_fields = NAMES.map((field, index) => ({ id: field, field, value: { column: `column_${index}` } }));
const ROW = [
  'Zoe Smith',
  'some words',
  '123456',
  '1,234.50',
  'Basel',
  'yes',
  'x',
  'green',
  'large',
  'Sideways',
];
const SHOWN = ['Zoe', 'Smith', 'words', '1,234.50', 'Basel', 'Large', 'Kept'];

/** Share of dark pixels in a part of the page (points from the top-left), by poppler. */
function darkness(file: string, left: number, top: number, width: number, height: number): number {
  room.run(
    'pdftoppm',
    '-r',
    '72',
    '-gray',
    '-x',
    `${left}`,
    '-y',
    `${top}`,
    '-W',
    `${width}`,
    '-H',
    `${height}`,
    file,
    'part',
  );
  const image = Buffer.from(room.read('part-1.pgm'));
  const pixels = image.subarray(image.length - width * height);
  return pixels.filter((value) => value < 128).length / pixels.length;
}

describe.skipIf(missing.length > 0)('forms in three readers', () => {
  for (const flattenForms of [false, true]) {
    it(`[FILL49][FILL51] ${flattenForms ? 'flattened' : 'live'}: every reader shows the values`, async () => {
      const { pdf } = await prepareForTest(formPdf(), { form_fields }, { flattenForms });
      const bytes = pdf(...ROW);
      room.put('form.pdf', bytes);
      const check = room.try('qpdf', '--check', 'form.pdf');
      expect(check).toMatchObject({ status: 0 });
      expect(check.said).not.toContain('WARNING');

      const poppler = room.run('pdftotext', 'form.pdf', '-');
      // MuPDF draws widgets into its text only through their appearances, which is what is to be shown.
      const mupdf = room.run('mutool', 'draw', '-q', '-F', 'txt', 'form.pdf', '1');
      for (const text of SHOWN) {
        expect(poppler, 'poppler').toContain(text);
        expect(mupdf, 'MuPDF').toContain(text);
      }
      // Ticked, crossed and chosen boxes are darker than empty ones.
      const [agree, bare, red, green] = [
        darkness('form.pdf', 123, 284, 14, 14),
        darkness('form.pdf', 123, 334, 14, 14),
        darkness('form.pdf', 123, 384, 14, 14),
        darkness('form.pdf', 163, 384, 14, 14),
      ];
      expect(agree).toBeGreaterThan(0.05);
      expect(bare).toBeGreaterThan(0.05);
      expect(green).toBeGreaterThan(0.05);
      expect(red).toBeLessThan(0.02);

      const pdfium = await PDFiumLibrary.init();
      const document = await pdfium.loadDocument(bytes);
      const image = await document.getPage(0).render({ scale: 1, render: 'bitmap', renderFormFields: true });
      const nameBox = inkIn(image.data, image.width, 125, 34, 90, 16);
      document.destroy();
      pdfium.destroy();
      expect(nameBox, 'PDFium').toBeGreaterThan(20);

      const fields = room.run('pdftk', 'form.pdf', 'dump_data_fields_utf8');
      if (flattenForms) expect(fields.trim()).toBe('');
      else expect(fields).toContain('FieldValue: Zoe Smith');
    });
  }
});

/** Pixels that are neither white nor the field's own light ground. */
function inkIn(
  pixels: Uint8Array,
  pageWidth: number,
  left: number,
  top: number,
  width: number,
  height: number,
): number {
  let count = 0;
  for (let y = top; y < top + height; y += 1) {
    for (let x = left; x < left + width; x += 1) {
      const at = (y * pageWidth + x) * 4;
      if (Math.min(pixels[at] ?? 255, pixels[at + 1] ?? 255, pixels[at + 2] ?? 255) < 120) count += 1;
    }
  }
  return count;
}
