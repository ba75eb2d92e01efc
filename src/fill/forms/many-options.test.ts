import { describe, expect, it } from 'vitest';
import { choiceForm, DROPDOWN } from '../../../test/support/choice-form.ts';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { prepareForTest } from '../../../test/support/prepared.ts';
import { readFields } from '../../../test/support/read-pdf.ts';
import { sourceMetadataSchema } from '../package/source-metadata.ts';

const optionsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `[(v${index})(Choice number ${index})]`).join('');
const form_fields = [{ id: 'd', field: 'd', value: { column: 'column_0' } }];
const TAIL_BYTES = 2500;

describe('a dropdown with many options', () => {
  it.each([
    [500, false],
    [5000, false],
    [5000, true],
  ])(
    '[FILL103] %i options, flattened %s: the form is filled and its rows stay small',
    async (count, flattenForms) => {
      const source = choiceForm([{ name: 'd', flags: DROPDOWN, opt: optionsOf(count) }]);
      const fill = await prepareForTest(source, { form_fields }, { flattenForms });
      const { tail, result } = fill.filler.fill(1, cellsOf(`choice number ${count - 1}`));
      expect(result).toMatchObject({ status: 'success', warnings: [] });
      expect(tail?.length).toBeLessThan(TAIL_BYTES);
      const stored = await readFields(fill.pdf(`v${count - 1}`));
      expect(stored.d).toEqual(flattenForms ? undefined : [`v${count - 1}`]);
    },
  );

  it('[FILL103] 12,000 options, one of them very long: the package stores as many as its schema allows', async () => {
    const opt = `(${'x'.repeat(10_001)})${optionsOf(12_000)}`;
    const { base, filler } = await prepareForTest(choiceForm([{ name: 'd', flags: DROPDOWN, opt }]), {
      form_fields,
    });
    expect(sourceMetadataSchema.parse(base.facts.source).form_fields[0]?.options).toHaveLength(12_000);
    expect(filler.fill(1, cellsOf('x'.repeat(10_000))).result.warnings).toMatchObject([
      { code: 'OPTION_UNKNOWN' },
    ]);
  });

  it('[FILL103] a filled row: refers to the options of the base', async () => {
    const fill = await prepareForTest(choiceForm([{ name: 'd', flags: DROPDOWN, opt: optionsOf(50) }]), {
      form_fields,
    });
    const row = Buffer.from(fill.pdf('v49')).toString('latin1');
    const [, num] = /\/Opt (\d+) 0 R/.exec(row.slice(fill.base.bytes.length)) ?? [];
    expect(row).toContain(`\n${num} 0 obj\n[[<${Buffer.from('v0').toString('hex')}> `);
    expect(row.split(Buffer.from('Choice number 49').toString('hex'))).toHaveLength(2);
  });
});
