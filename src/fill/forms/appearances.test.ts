import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { formPdf } from '../../../test/support/form-source.ts';
import { type PreparedFill, prepareForTest } from '../../../test/support/prepared.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';

const mapped = (field: string, members: object = {}) => ({
  id: `id-${field}`,
  field,
  value: { column: 'column_0' },
  ...members,
});
const row = (fill: PreparedFill, ...values: string[]) => fill.filler.fill(1, cellsOf(...values)).result;

describe('appearances of native fields', () => {
  it('[FILL63] a right-aligned field whose text is too wide: shows its beginning at the same height', async () => {
    const form_fields = [mapped('amount')];
    const fill = await prepareForTest(formPdf(), { form_fields }, { flattenForms: true });
    const [fits] = await readPdf(fill.pdf('BEGIN'));
    const [wide] = await readPdf(fill.pdf(`BEGIN${'x'.repeat(60)}END`));
    const placed = (page: typeof fits) => page?.texts.find(({ text }) => text.startsWith('BEGIN'));
    expect(placed(wide)?.y).toBeCloseTo(placed(fits)?.y ?? 0, 2);
    expect(placed(wide)?.x).toBeCloseTo(122, 1);
    expect(wide?.texts.map(({ text }) => text).join('')).not.toContain('END');
    expect(row(fill, `BEGIN${'x'.repeat(60)}`).warnings).toMatchObject([
      { code: 'TEXT_CLIPPED', overlay_id: 'id-amount' },
    ]);
  });
});
