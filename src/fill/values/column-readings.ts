import type { InputDecimal } from '../format/read-decimal.ts';
import type { ColumnInput } from '../package/column-input-schema.ts';
import type { Layout } from '../package/layout-schema.ts';
import type { DecimalSigns } from './decimal-signs.ts';

/**
 * How a format reads the values of a column: with a decimal sign, by a date pattern, or not at all because they are text. A
 * format that says so itself takes precedence.
 */
export type ColumnReading = InputDecimal | 'text' | { readonly date: string };
export type ColumnReadings = Readonly<Record<string, ColumnReading>>;

/** The readings that the layout declares for its columns, and the signs that were determined from the rows for the others. */
export function columnReadings(
  { columns }: Pick<Layout, 'columns'>,
  signs: DecimalSigns | undefined,
): ColumnReadings {
  const declared = columns.flatMap(({ key, input }) =>
    input === undefined ? [] : [[key, readingOf(input)] as const],
  );
  return declared.length === 0 ? (signs ?? {}) : { ...signs, ...Object.fromEntries(declared) };
}

function readingOf(input: ColumnInput): ColumnReading {
  if (input.type === 'text') return 'text';
  return input.type === 'number' ? input.decimal : { date: input.pattern };
}
