import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { formPdf } from '../../../test/support/form-source.ts';
import { type PreparedFill, prepareForTest } from '../../../test/support/prepared.ts';
import { sourcePdf } from '../../../test/support/source-pdf.ts';
import { nativeCodec } from '../node/native-codec.ts';
import { inspectSource } from '../prepare/read-source-metadata.ts';

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const changed = (from: string | RegExp, to: string, source = latin1(formPdf())) => {
  const text = source.replace(from, to);
  if (text === source) throw new Error(`the source has no ${from}`);
  return Buffer.from(text, 'latin1');
};
const row = (fill: PreparedFill, ...values: string[]) => fill.filler.fill(1, cellsOf(...values)).result;
const mapped = (field: string) => ({ id: field, field, value: { column: 'column_0' } });

describe('hidden fields', () => {
  const note = { form_fields: [mapped('note')] };
  const withFlags = (flags: number) =>
    changed('/F 4/P 3 0 R/FT/Tx/T(note)', `/F ${flags}/P 3 0 R/FT/Tx/T(note)`);

  it.each([
    [false, 'stored but not shown'],
    [true, 'not in the document'],
  ])('[FILL122] a mapped hidden field (flatten %s): the row has a note', async (flattenForms, fate) => {
    const fill = await prepareForTest(withFlags(2), note, { flattenForms });
    const { status, warnings } = row(fill, 'secret');
    expect(status).toBe('success');
    expect(warnings).toEqual([
      { code: 'FIELD_HIDDEN', overlay_id: 'note', message: expect.stringContaining(fate) },
    ]);
    expect(JSON.stringify(warnings)).not.toContain('secret');
    expect(row(fill, '').warnings).toEqual([]);
  });

  it('[FILL122] a field that is shown on screen or on paper: no note', async () => {
    for (const flags of [0, 4 | 32]) {
      const fill = await prepareForTest(withFlags(flags), note);
      expect(row(fill, 'shown').warnings).toEqual([]);
    }
    expect(row(await prepareForTest(withFlags(32), note), 'x').warnings).toMatchObject([
      { code: 'FIELD_HIDDEN' },
    ]);
  });
});

describe('text strings', () => {
  it('[FILL123] names and options in UTF-8: read and filled', async () => {
    const utf8 = (text: string) => `\\357\\273\\277${Buffer.from(text, 'utf8').toString('latin1')}`;
    const source = changed('/T(note)', `/T(${utf8('Prénom')})`);
    const both = changed('[(S)(Small)]', `[(S)(${utf8('小')})]`, latin1(source));
    const fill = await prepareForTest(both, { form_fields: [mapped('Prénom'), mapped('size')] });
    const options = fill.base.facts.source.form_fields.find(({ name }) => name === 'size')?.options;
    expect(options?.[0]).toEqual({ value: 'S', label: '小' });
    expect(row(fill, '小')).toMatchObject({ status: 'success', warnings: [] });
  });

  it('[FILL123] a string with a UTF-8 mark but invalid UTF-8: read as PDFDocEncoding', async () => {
    const fill = await prepareForTest(changed('/T(note)', '/T(\\357\\273\\277\\351t\\351)'), {});
    expect(fill.base.facts.source.form_fields.map(({ name }) => name)).toContain('ï»¿été');
  });
});

describe('XFA', () => {
  const dynamic = (form: string, catalog = '') =>
    changed(
      '/Type/Catalog',
      `/Type/Catalog${catalog}/AcroForm<</XFA(x)/Fields[]${form}>>`,
      latin1(sourcePdf({})),
    );

  it('[FILL124] a dynamic form whose page is a placeholder: rejected with the reason', async () => {
    const message = /PDF_INVALID: The PDF is a dynamic XFA form/;
    await expect(prepareForTest(dynamic(''), {})).rejects.toThrow(message);
    await expect(prepareForTest(dynamic('', '/NeedsRendering true'), {})).rejects.toThrow(message);
    expect(await inspectSource(dynamic(''), 10, nativeCodec)).toMatchObject({
      ok: false,
      code: 'PDF_INVALID',
    });
  });

  it('[FILL124] a form that also has fields on its pages: filled', async () => {
    const source = changed('/SigFlags 3', '/XFA (x)   ');
    const rendered = changed('/Type/Catalog', '/Type/Catalog/NeedsRendering true', latin1(source));
    const fill = await prepareForTest(rendered, { form_fields: [mapped('note')] });
    expect(row(fill, 'x').status).toBe('success');
  });
});
