import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { box, type FilledArchive, fill, layoutOf } from '../support/fill-cli.ts';
import { pageTexts, readFields } from '../support/read-pdf.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { sourcePdf } from '../support/source-pdf.ts';

let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = await cliSandbox();
});
afterAll(() => sandbox.remove());

const pdf = sourcePdf({
  fields: [
    { name: 'name', kind: 'text', rects: [[50, 700, 250, 720]], extra: '/MaxLen 5' },
    { name: 'agree', kind: 'checkbox', rects: [[50, 650, 60, 660]], options: [['Accepted', 'Accepted']] },
    {
      name: 'country',
      kind: 'dropdown',
      rects: [[50, 600, 250, 620]],
      options: [
        ['DE', 'Germany'],
        ['FR', 'France'],
      ],
    },
    {
      name: 'size',
      kind: 'radio',
      rects: [
        [50, 550, 60, 560],
        [80, 550, 90, 560],
      ],
      options: [
        ['S', 'S'],
        ['L', 'L'],
      ],
    },
    { name: 'untouched', kind: 'text', rects: [[50, 500, 250, 520]], extra: '/V(kept)' },
  ],
});
const mapping = (id: string, field: string, column: number, members: object = {}) => ({
  id,
  field,
  value: { column: `column_${column}` },
  ...members,
});
const layout = layoutOf([{ id: 'over', type: 'text', ...box, y: 500, value: { static: 'OVERLAY' } }], {
  form_fields: [
    mapping('n', 'name', 0),
    mapping('a', 'agree', 1),
    mapping('c', 'country', 2),
    mapping('s', 'size', 3),
    mapping('gone', 'nobody', 0),
  ],
});
const rows = [
  { column_0: 'Zoë', column_1: 'yes', column_2: 'FR', column_3: 'L' },
  { column_0: 'Ann Lee', column_1: 'Accepted', column_2: ' germany ', column_3: 's' },
  { column_1: 'no' },
  { column_0: 'Bob', column_1: 'perhaps', column_2: 'Spain', column_3: 'XL' },
];
const bytesOf = ({ files }: FilledArchive, row: number) => files[`row_${row}.pdf`] ?? new Uint8Array(0);
const codesOf = ({ manifest }: FilledArchive, row: number) =>
  manifest.row_results[row - 1]?.warnings.map(({ overlay_id, code }) => `${overlay_id} ${code}`).sort();

describe('native form fields', () => {
  let kept: FilledArchive;
  let flat: FilledArchive;
  beforeAll(async () => {
    kept = await fill(sandbox, { pdf, layout, rows });
    flat = await fill(sandbox, { pdf, layout, rows, args: ['--flatten-forms'] });
  });

  it('[FILL15] export values, labels and words: select an option; blank clears it', async () => {
    expect(await readFields(bytesOf(kept, 1))).toMatchObject({
      name: 'Zoë',
      agree: 'Accepted',
      country: ['FR'],
      size: 'L',
      untouched: 'kept',
    });
    expect(await readFields(bytesOf(kept, 2))).toMatchObject({
      name: 'Ann L',
      agree: 'Accepted',
      country: ['DE'],
      size: 'S',
    });
    expect(await readFields(bytesOf(kept, 3))).toMatchObject({ name: '', agree: 'Off' });
  });

  it('[FILL5][FILL6] fields of a form: counted like overlays, and what was skipped or cut is reported', () => {
    for (const archive of [kept, flat]) {
      expect(codesOf(archive, 1)).toEqual(['gone FORM_FIELD_MISSING']);
      expect(archive.manifest.row_results[0]).toMatchObject({
        status: 'partial',
        applied_overlay_count: 5,
        skipped_overlay_count: 1,
      });
      expect(codesOf(archive, 2)).toEqual(['gone FORM_FIELD_MISSING', 'n TEXT_CLIPPED']);
      expect(codesOf(archive, 4)).toEqual([
        'a OPTION_UNKNOWN',
        'c OPTION_UNKNOWN',
        'gone FORM_FIELD_MISSING',
        's OPTION_UNKNOWN',
      ]);
      expect(archive.manifest.row_results[3]).toMatchObject({
        status: 'partial',
        applied_overlay_count: 2,
        skipped_overlay_count: 4,
      });
      expect(archive.manifest.warnings.map((warning) => warning.code)).toEqual(['FORM_FIELD_MISSING']);
    }
  });

  it('[FILL5] flattened fields: page content below the overlays', async () => {
    expect(await readFields(bytesOf(flat, 1))).toEqual({});
    const [text] = await pageTexts(bytesOf(flat, 1));
    for (const part of ['page 1', 'Zoë', 'France', 'kept', 'OVERLAY']) expect(text).toContain(part);
    expect(text?.indexOf('Zoë')).toBeLessThan(text?.indexOf('OVERLAY') ?? -1);
  });

  it.each([[[]], [['--flatten-forms']]])('[FILL102] a form with 3,000 fields is filled, %j', async (args) => {
    const fields = Array.from({ length: 3000 }, (_, index) => ({
      name: `f${index}`,
      kind: 'text' as const,
      rects: [[10, 10, 60, 24]] as const,
    }));
    const wide = layoutOf([], { form_fields: fields.map(({ name }, index) => mapping(name, name, index)) });
    const values = fields.map((_, index) => `v${index}`);
    const archive = await fill(sandbox, {
      pdf: sourcePdf({ fields }),
      layout: wide,
      rows: `${values.join(',')}\n`,
      args,
    });
    expect(archive.manifest.row_results[0]).toMatchObject({ status: 'success', applied_overlay_count: 3000 });
    const stored = await readFields(bytesOf(archive, 1));
    const [text] = await pageTexts(bytesOf(archive, 1));
    expect(args.length === 0 ? stored.f2999 : text?.split(' ').at(-1)).toBe('v2999');
  });

  it('[FILL13] a cell that holds an object: fails its row', async () => {
    const { manifest } = await fill(sandbox, { pdf, layout, rows: [{ column_3: { a: 1 } }] });
    expect(manifest.row_results[0]).toMatchObject({ status: 'failed', error: { code: 'ROW_VALUE_INVALID' } });
  });

  it('[FILL12] show-if and format: apply to fields of a form', async () => {
    const conditional = layoutOf([], {
      form_fields: [
        mapping('n', 'name', 0, { show_if: { column: 'column_1', equals: 'on' } }),
        mapping('u', 'untouched', 2, { format: { number: '0.00' } }),
      ],
    });
    const archive = await fill(sandbox, {
      pdf,
      layout: conditional,
      rows: [
        { column_0: 'Ann', column_2: '3' },
        { column_0: 'Ann', column_1: 'on' },
      ],
    });
    expect(await readFields(bytesOf(archive, 1))).toMatchObject({ untouched: '3.00' });
    expect((await readFields(bytesOf(archive, 1))).name).not.toBe('Ann');
    expect(await readFields(bytesOf(archive, 2))).toMatchObject({ name: 'Ann' });
    expect(archive.manifest.row_results.map((row) => row.applied_overlay_count)).toEqual([2, 2]);
  });
});
