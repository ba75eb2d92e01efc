import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import type { JudgeRoom } from '../../../test/support/judges.ts';
import { type PreparedFill, prepareForTest } from '../../../test/support/prepared.ts';
import { RENDERERS } from '../../../test/support/renderings.ts';
import { scanPicture } from '../../../test/support/scan-code.ts';
import { sourcePdf } from '../../../test/support/source-pdf.ts';

const form_fields = [{ id: 'code', field: 'code', value: { column: 'column_0' } }];
const source = (members: string) =>
  sourcePdf({
    fields: [
      {
        name: 'code',
        kind: 'text',
        rects: [[100, 500, 300, 600]],
        extra: `/PMD<</Type/PaperMetaData${members}>>`,
      },
    ],
  });
const scan = (bytes: Uint8Array) =>
  RENDERERS.PDFium({ read: () => bytes } as unknown as JudgeRoom, '', 200).then(scanPicture);
const row = (fill: PreparedFill, value: string) => fill.filler.fill(1, cellsOf(value)).result;

describe('barcode fields', () => {
  it.each([
    ['/Symbology/QRCode/ECC 3', 'QRCode'],
    ['/Symbology/DataMatrix', 'DataMatrix'],
    ['/Symbology/PDF417/ECC 5/XSymWidth 4/XSymHeight 12/Resolution 300', 'PDF417'],
    ['/Symbology/PDF417/nCodeWordCol 1/XSymWidth 3/XSymHeight 6', 'PDF417'],
  ])('[FILL128] %s: draws a symbol that scans as the row’s value', async (members, format) => {
    for (const flattenForms of [false, true]) {
      const fill = await prepareForTest(source(members), { form_fields }, { flattenForms });
      expect(row(fill, 'LOT-0042 Zoë')).toMatchObject({ status: 'success', warnings: [] });
      expect(await scan(fill.pdf('LOT-0042 Zoë'))).toEqual([`${format}: LOT-0042 Zoë`]);
    }
  });

  it('[FILL128] XSymWidth and Resolution: limit the side of a module', async () => {
    const content = async (members: string) => {
      const fill = await prepareForTest(source(members), { form_fields });
      return Buffer.from(fill.filler.fill(1, cellsOf('A')).tail ?? []).toString('latin1');
    };
    // 29 modules with the quiet zone: 29 pt at 1 pt per module, else the field's height of 100 pt.
    expect(await content('/Symbology/QRCode/XSymWidth 3/Resolution 216')).toContain(' 29 29 re');
    expect(await content('/Symbology/QRCode')).toContain(' 100 100 re');
  });

  it('[FILL128] a value that the symbol cannot encode: skipped, and the field is unchanged', async () => {
    const fill = await prepareForTest(source('/Symbology/QRCode/ECC 3'), { form_fields });
    expect(row(fill, 'x'.repeat(5000))).toMatchObject({
      status: 'partial',
      applied_overlay_count: 0,
      skipped_overlay_count: 1,
      warnings: [{ code: 'CODE_VALUE_INVALID', overlay_id: 'code' }],
    });
    expect(
      Buffer.from(fill.pdf('x'.repeat(5000)).subarray(fill.base.bytes.length)).toString('latin1'),
    ).not.toContain('/V');
    expect(row(fill, '')).toMatchObject({ status: 'success', warnings: [] });
  });

  it.each(['/Symbology/Aztec', '/Symbology/QRCode/nDataPrep 1'])(
    '[FILL128] %s: skipped with the reason',
    async (members) => {
      const fill = await prepareForTest(source(members), { form_fields });
      expect(row(fill, 'A')).toMatchObject({
        status: 'partial',
        warnings: [{ code: 'CODE_VALUE_INVALID', message: expect.stringContaining('not supported') }],
      });
    },
  );
});
