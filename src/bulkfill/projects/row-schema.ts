import { labelledColumns } from '#fill/labelled-columns.ts';
import type { Layout } from '#fill/package/layout-schema.ts';
import type { LabelledColumn } from '#lib/rows/labelled-rows.ts';
import { normalisedLabel } from '#lib/rows/match-labels.ts';
import { exampleValue } from './example-row.ts';

const DEFAULT_OPTIONS = { includeStickers: false };

/**
 * The JSON Schema of one row, keyed by labels. A row that fits it is accepted with `match_columns=label`. A column whose
 * label is blank or not unique is named by its key, which always works.
 */
export function rowSchema(
  layout: Layout,
  { title, maxCellChars }: { readonly title: string; readonly maxCellChars: number },
): object {
  const columns = labelledColumns(layout, DEFAULT_OPTIONS);
  const names = namesOf(columns);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    type: 'object',
    properties: Object.fromEntries(
      columns.map(({ key }) => [
        names.get(key),
        {
          type: ['string', 'number', 'boolean', 'null'],
          maxLength: maxCellChars,
          description: describeColumn(layout, key),
          examples: [exampleValue(layout, key)],
        },
      ]),
    ),
    required: columns.filter(({ used }) => used).map(({ key }) => names.get(key)),
    additionalProperties: true,
  };
}

/** A CSV with the names of the schema as its header and one example row. */
export function sampleCsv(layout: Layout): string {
  const columns = labelledColumns(layout, DEFAULT_OPTIONS);
  const names = columns.map(({ key, label }) => (label === '' ? key : label));
  const line = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`;
  return line(names) + line(columns.map(({ key }) => exampleValue(layout, key)));
}

function namesOf(columns: readonly LabelledColumn[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const { label } of columns) {
    const name = normalisedLabel(label);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const isUsable = (label: string) =>
    normalisedLabel(label) !== '' && counts.get(normalisedLabel(label)) === 1 && !KEY_LIKE.test(label);
  return new Map(columns.map(({ key, label }) => [key, isUsable(label) ? label : key]));
}

/** Keys of this form name a column by its position, and `__proto__` is rejected in rows. */
const KEY_LIKE = /^(column_\d+|__proto__)$/;

function describeColumn({ columns }: Layout, key: string): string {
  const input = columns.find((column) => column.key === key)?.input;
  switch (input?.type) {
    case 'number':
      return `${key}: a number with the decimal sign "${input.decimal}"`;
    case 'date':
      return `${key}: a date in ISO 8601 or as ${input.pattern}`;
    default:
      return key;
  }
}

/** RFC 4180. A cell at the start of which a spreadsheet would see a formula is an example of our own, never a client's value. */
function csvCell(text: string): string {
  return /[",;|\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
