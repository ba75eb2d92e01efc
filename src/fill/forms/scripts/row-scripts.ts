import type { RowWarning } from '#fill/results/row-outcome.ts';
import type { FieldValue } from '../field-value.ts';
import type { MappedField } from '../form-state.ts';
import { calculate } from './calculate.ts';
import { applyFormat } from './field-format.ts';
import type { Calculation, FormScripts } from './plan-scripts.ts';

type Note = (code: RowWarning['code'], message: string) => void;

/** Formats the displayed value of a field. The stored value is unchanged, as in Acrobat. */
export function shownFormatted(field: MappedField, value: FieldValue, note: Note | null): FieldValue {
  if (value.kind !== 'text' || field.type !== 'text') return value;
  let shown = value;
  if (field.format !== null && !field.password) {
    const formatted = applyFormat(field.format, value.stored);
    if (formatted !== null) shown = { ...value, shown: formatted.text, red: formatted.red };
    else
      note?.(
        'VALUE_FORMAT_UNREAD',
        `The value is not a ${KINDS[field.format.kind]}, which the field ${field.name} expects; it is shown unchanged.`,
      );
  }
  const cells = field.combCells;
  if (cells === 0 || shown.shown.length <= cells || Array.from(shown.shown).length <= cells) return shown;
  note?.('TEXT_CLIPPED', `The text is longer than the ${cells} cells of its field and was truncated.`);
  return { ...shown, shown: Array.from(shown.shown).slice(0, cells).join('') };
}

const KINDS = {
  number: 'number',
  percent: 'number',
  date: 'date',
  time: 'time',
  special: 'number of the right length',
} as const;

/** A calculated field of this form, and the mapping that its notes name. */
export interface ReadyCalculation {
  readonly calculation: Calculation;
  readonly field: MappedField;
}

export function readyCalculations(
  { calculations }: FormScripts,
  fields: readonly MappedField[],
): ReadyCalculation[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return calculations.flatMap((calculation) => {
    const field = byName.get(calculation.field);
    return field === undefined ? [] : [{ calculation, field }];
  });
}

/** Calculates one field of a row. `values` contains the texts of the row's fields; the calculated text is added to it. */
export function calculatedValue(
  { calculation, field }: ReadyCalculation,
  values: Map<string, string>,
  stored: FormScripts['stored'],
  note: (field: string, ...warning: Parameters<Note>) => void,
): FieldValue {
  const text = calculate(
    calculation,
    (name) => values.get(name) ?? stored[name] ?? '',
    (name) => {
      const message = `The value is not a number; the calculation of the field ${field.name} counts it as 0.`;
      note(values.has(name) ? name : calculation.owner, 'VALUE_FORMAT_UNREAD', message);
    },
  );
  values.set(field.name, text);
  const value: FieldValue = { kind: 'text', stored: text, shown: text, cut: false };
  return shownFormatted(field, value, (...warning) => note(calculation.owner, ...warning));
}

/** Returns the value of a field as a script reads it. */
export function valueText(field: MappedField, value: FieldValue): string {
  if (value.kind === 'text') return value.stored;
  const textOf = (option: number) => field.options[option]?.value ?? '';
  if (value.kind === 'list') return value.chosen.map(textOf).join(';');
  return value.option === null ? '' : textOf(value.option);
}
