import { describe, expect, it } from 'vitest';
import { compareSource } from './compare-source.ts';
import type { FormFieldMapping, SourceMetadata, SourcePage } from './layout-schema.ts';

const page = (members: Partial<SourcePage> = {}): SourcePage => ({
  box: [0, 0, 595.276, 841.89],
  rotation: 0,
  user_unit: 1,
  ...members,
});
const source = (members: Partial<SourceMetadata> = {}): SourceMetadata => ({
  sha256: 'aa'.repeat(32),
  page_count: 1,
  pages: [page()],
  form_fields: [],
  signed: false,
  xfa: false,
  ...members,
});
const mapping = (field: string): FormFieldMapping => ({ id: field, field, value: { static: '' } });
const codes = (before: SourceMetadata | undefined, now: SourceMetadata, fields: string[] = []) =>
  compareSource(before, now, fields.map(mapping)).map((warning) => warning.code);

describe('[PKG7] the submitted PDF compared with the source of the package', () => {
  it('the same file: no note', () => {
    expect(codes(source(), source())).toEqual([]);
  });

  it('another file with the same pages: only the fingerprint is reported', () => {
    const moved = page({ box: [10, 20, 605.2761, 861.8899] });
    expect(codes(source(), source({ sha256: 'bb'.repeat(32), pages: [moved] }))).toEqual([
      'PDF_FINGERPRINT_CHANGED',
    ]);
  });

  it('another page count: reported with both numbers', () => {
    const now = source({ page_count: 2, pages: [page(), page()] });
    expect(compareSource(source(), now, [])).toEqual([
      expect.objectContaining({ code: 'PAGE_COUNT_CHANGED', expected: 1, actual: 2 }),
    ]);
    expect(codes(now, source())).toEqual(['PAGE_COUNT_CHANGED']);
  });

  it('another size or rotation: reported separately, with the page', () => {
    const before = source({ page_count: 2, pages: [page(), page()] });
    const turned = source({ page_count: 2, pages: [page(), page({ rotation: 90 })] });
    expect(compareSource(before, turned, [])).toEqual([
      expect.objectContaining({ code: 'PAGE_ROTATION_CHANGED', page: 2, expected: 0, actual: 90 }),
    ]);
    const both = source({ page_count: 2, pages: [page({ rotation: 90, box: [0, 0, 400, 600] }), page()] });
    expect(compareSource(before, both, [])).toEqual([
      expect.objectContaining({ code: 'PAGE_SIZE_CHANGED', page: 1, actual: '400 x 600' }),
      expect.objectContaining({ code: 'PAGE_ROTATION_CHANGED', page: 1 }),
    ]);
  });

  it('another UserUnit: reported as size', () => {
    expect(codes(source(), source({ pages: [page({ user_unit: 2 })] }))).toEqual(['PAGE_SIZE_CHANGED']);
  });

  it('missing fields and fields of another type: reported if they are mapped', () => {
    const before = source({
      form_fields: [
        { name: 'a', type: 'text' },
        { name: 'b', type: 'text' },
      ],
    });
    const now = source({
      form_fields: [
        { name: 'b', type: 'checkbox' },
        { name: 'c', type: 'text' },
      ],
    });
    expect(codes(before, now, ['a', 'b'])).toEqual(['FORM_FIELD_MISSING', 'FORM_FIELD_TYPE_CHANGED']);
    expect(codes(before, now)).toEqual([]);
    expect(codes(undefined, now, ['c', 'd'])).toEqual(['FORM_FIELD_MISSING']);
  });

  it('features that filling removes: reported for the submitted file, sealed or not', () => {
    expect(codes(undefined, source({ signed: true, xfa: true }))).toEqual([
      'SIGNATURE_INVALIDATED',
      'XFA_IGNORED',
    ]);
  });
});
