import { readFile } from 'node:fs/promises';
import { symbolList } from 'bwip-js/generic';
import { describe, expect, it, test, vi } from 'vitest';
import { layoutJsonSchemaText } from './layout-json-schema.ts';
import { layoutSchema } from './layout-schema.ts';
import { parseLayout } from './parse-layout.ts';
import { SYMBOLOGIES } from './symbologies.ts';

const box = { page: 1, x: 72, y: 100, width: 220, height: 24 };
const text = { id: 'name', type: 'text', ...box, value: { column: 'column_0' } };
const layout = (members: object) => JSON.stringify({ format: 'rowpress.layout', version: 1, ...members });
const overlay = (members: object) => layout({ overlays: [{ ...text, ...members }] });

function refusalOf(json: string): string {
  const result = parseLayout(json);
  return result.ok ? 'accepted' : `${result.code} ${result.message}`;
}

test('[PKG6] a layout of more than 400,000 values: rejected before the schema visits them', () => {
  const visit = vi.spyOn(layoutSchema, 'safeParse');
  const junk = `{"format":"rowpress.layout","version":1,"overlays":[${'{},'.repeat(400_000)}{}]}`;
  expect(parseLayout(junk)).toEqual({
    ok: false,
    code: 'PACKAGE_INVALID',
    message: 'The layout has more than 400000 values.',
  });
  expect(visit).not.toHaveBeenCalled();
});

describe('[PKG6] the layout schema', () => {
  it('a layout with the usual members: accepted, with defaults for the rest', () => {
    const result = parseLayout(
      layout({
        columns: [{ key: 'column_0', label: 'Name' }],
        overlays: [
          {
            ...text,
            font: 'sans',
            size: 12,
            color: '#111111',
            align: 'left',
            valign: 'middle',
            fit: 'shrink',
          },
          { id: 'code', type: 'qr', ...box, value: { column: 'column_1' } },
          { id: 'bar', type: 'barcode', symbology: 'code128', ...box, value: { static: 'LOT-0001' } },
          { id: 'hello', type: 'text', ...box, value: { template: 'Dear {{column_0}}, ref {{ column_1 }}' } },
          {
            id: 'when',
            type: 'date',
            ...box,
            value: { static: '2026-02-28' },
            format: { date: 'D MMMM YYYY' },
          },
          {
            id: 'mark',
            type: 'check',
            ...box,
            value: { column: 'column_2' },
            show_if: { column: 'column_3', blank: false },
          },
          { id: 'logo', type: 'image', ...box, value: { static: 'logo.png' }, rotation: 45, opacity: 0.5 },
          { id: 'sign', type: 'signature', ...box, value: { static: 'sign.png' } },
          { id: 'note', type: 'sticker', ...box },
        ],
        form_fields: [{ id: 'f1', field: 'employee.name', value: { column: 'column_0' } }],
      }),
    );
    expect(result).toMatchObject({
      ok: true,
      layout: {
        overlays: [
          { bold: false, line_height: 1.2, rotation: 0 },
          { ecc: 'M' },
          { color: '#000000' },
          {},
          {},
          {},
          {},
          {},
          { label: 'Sign here' },
        ],
      },
    });
  });

  it('a misspelt member: reported with its path', () => {
    expect(refusalOf(overlay({ colour: '#fff' }))).toMatch(/PACKAGE_INVALID .*overlays\[0\].*colour/);
    expect(refusalOf(layout({ overlay: [] }))).toMatch(/PACKAGE_INVALID .*overlay/);
    expect(refusalOf(overlay({ value: { column: 'column_0', static: 'x' } }))).toMatch(
      /overlays\[0\]\.value/,
    );
    expect(refusalOf('{"format":"rowpress.layout","version":1,"__proto__":{"a":1}}')).toMatch(
      /PACKAGE_INVALID/,
    );
  });

  it.each([
    ['a page below 1', overlay({ page: 0 })],
    ['a width of 0', overlay({ width: 0 })],
    ['a size that is too large', overlay({ size: 5000 })],
    ['a number that is not finite', overlay({ x: 1 }).replace('"x":1', '"x":1e999')],
    ['a colour name', overlay({ color: 'red' })],
    ['an unknown font', overlay({ font: 'Comic' })],
    ['an unknown symbology', overlay({ type: 'barcode', symbology: 'code1280' })],
    ['an unknown placeholder', overlay({ value: { template: 'Dear {{name}}' } })],
    ['a stray closing brace pair', overlay({ value: { template: 'Dear }} you' } })],
    ['a column that is not positional', overlay({ value: { column: 'name' } })],
    ['a column with a leading zero', overlay({ value: { column: 'column_01' } })],
    ['a bad number pattern', overlay({ format: { number: '0.0.0' } })],
    ['a bad date pattern', overlay({ format: { date: 'DD.QQ.YYYY' } })],
    ['a condition without a test', overlay({ show_if: { column: 'column_0' } })],
    ['a condition with two tests', overlay({ show_if: { column: 'column_0', equals: 'a', blank: true } })],
    ['two overlays with one id', layout({ overlays: [text, text] })],
    [
      'an overlay and a field with one id',
      layout({ overlays: [text], form_fields: [{ id: 'name', field: 'f', value: { static: '' } }] }),
    ],
    [
      'two mappings of one field',
      layout({ form_fields: ['a', 'b'].map((id) => ({ id, field: 'f', value: { static: '' } })) }),
    ],
    ['two columns with one key', layout({ columns: [{ key: 'column_0' }, { key: 'column_0' }] })],
    [
      'too many columns',
      layout({ columns: Array.from({ length: 10_001 }, (_, i) => ({ key: `column_${i}` })) }),
    ],
    ['a font with a built-in name', layout({ fonts: [{ name: 'sans', regular: 'assets/a.ttf' }] })],
    ['a font file outside the assets', layout({ fonts: [{ name: 'own', regular: '../a.ttf' }] })],
  ])('%s: rejected', (_what, json) => {
    expect(refusalOf(json)).toMatch(/^PACKAGE_INVALID /);
  });

  it('an unknown version: distinguished from an invalid layout', () => {
    expect(refusalOf('{"format":"rowpress.layout","version":2}')).toMatch(/^PACKAGE_UNSUPPORTED /);
    expect(refusalOf('{"format":"something","version":1}')).toMatch(/^PACKAGE_INVALID /);
    expect(refusalOf('[]')).toMatch(/^PACKAGE_INVALID /);
    expect(refusalOf('{')).toMatch(/^PACKAGE_MALFORMED /);
    expect(
      refusalOf(
        `{"format":"rowpress.layout","version":1,"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      ),
    ).toMatch(/^PACKAGE_INVALID /);
  });

  it('the published JSON Schema: the committed file is up to date', async () => {
    const committed = await readFile(new URL('../../../docs/schemas/layout.json', import.meta.url), 'utf8');
    expect(committed).toBe(layoutJsonSchemaText());
  });

  it('the layout of the guide: accepted', async () => {
    const guide = await readFile(
      new URL('../../../docs/guides/write-a-layout-by-hand.md', import.meta.url),
      'utf8',
    );
    const [, example = ''] = /```json\n(\{\n[^`]*"rowpress\.layout"[^`]*)```/.exec(guide) ?? [];
    expect(parseLayout(example)).toMatchObject({
      ok: true,
      layout: { overlays: [{ id: 'name' }, { id: 'code' }] },
    });
  });

  it('symbologies: exactly those of the encoder', () => {
    expect([...SYMBOLOGIES]).toEqual(symbolList.map((symbol) => symbol.bcid).sort());
  });
});
