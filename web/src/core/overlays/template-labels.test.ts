import { describe, expect, it } from 'vitest';
import { fromLabels, withLabels } from './template-labels.ts';

const layout = {
  columns: ['Vorname', 'Nachname', '', 'Ort', 'Ort', 'a}}b', 'First name'].map((label, index) => ({
    key: `column_${index}`,
    label,
  })),
};
const read = (typed: string) => fromLabels(layout, typed);

describe('templates with column names', () => {
  it('[EDT34] names of columns: stored as keys, and shown as names again', () => {
    const typed = 'Dear {{Vorname}} {{ nachname }}, {{first_name}}!';
    expect(read(typed)).toEqual({ value: 'Dear {{column_0}} {{column_1}}, {{column_6}}!' });
    expect(withLabels(layout, 'Dear {{column_0}} {{column_1}}')).toBe('Dear {{Vorname}} {{Nachname}}');
    expect(read(withLabels(layout, '{{column_1}} {a} {{column_6}}'))).toEqual({
      value: '{{column_1}} {a} {{column_6}}',
    });
  });

  it('[EDT34] keys, and columns without a name that leads to them: keys', () => {
    expect(read('{{column_9}} {{Column 3}}')).toEqual({ value: '{{column_9}} {{column_2}}' });
    const keys = '{{column_2}} {{column_3}} {{column_5}}';
    expect(withLabels(layout, keys)).toBe(keys);
    expect(read(keys)).toEqual({ value: keys });
  });

  it('[EDT34] a label that looks like the key of another column: does not take its place', () => {
    const odd = { columns: [{ key: 'column_0', label: 'column_1' }] };
    expect(fromLabels(odd, '{{column_1}}')).toEqual({ value: '{{column_1}}' });
    expect(withLabels(odd, '{{column_0}}')).toBe('{{column_0}}');
  });

  it('[EDT34] an unknown or ambiguous name: the reason, with a suggestion', () => {
    expect(read('{{Nachnahme}}')).toEqual({
      problem: 'No column is called “Nachnahme”. Did you mean “Nachname”?',
    });
    expect(read('{{Ort}}')).toEqual({
      problem: 'Several columns are called “Ort”. Write {{column_3}} or {{column_4}} instead.',
    });
    expect(read('{{IBAN}}')).toEqual({
      problem: 'No column is called “IBAN”. The columns are Vorname, Nachname, Ort, Ort, a}}b and 1 more.',
    });
    expect(fromLabels({ columns: [] }, '{{Name}}')).toEqual({
      problem: 'No column is called “Name”. Add a rows file, or write {{column_0}}.',
    });
  });

  it('[EDT34] braces that do not match: the reason', () => {
    expect(read('a {{Vorname')).toEqual({ problem: 'There is a {{ without a }} after it.' });
    expect(read('a Vorname}}')).toEqual({ problem: 'There is a }} without a {{ before it.' });
    expect(read('{{ }}')).toEqual({ problem: 'Write the name of a column between {{ and }}.' });
  });
});
