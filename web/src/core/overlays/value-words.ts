import type { FormFieldMapping, Layout, Overlay, ValueSource } from '#fill/package/layout-schema.ts';
import { parseTemplate } from '#fill/package/template.ts';
import { valuesOf } from '#fill/values/values-of.ts';
import { toolOf } from '../../kinds/tools.ts';
import { formatLength } from '../geometry/units.ts';
import { badges } from './badges.ts';

const KEY = /^column_(\d+)$/;

/** The position of a column, from 0; -1 if the text is not a column key. */
export const columnIndex = (key: string): number => Number(KEY.exec(key)?.[1] ?? -1);

/** The name of a column: `Name`, or `Column 3`, counted from 1, if it has no label. */
export function columnName(layout: Layout, key: string): string {
  const label = labelsOf(layout).get(key) ?? '';
  return label === '' ? `Column ${columnIndex(key) + 1}` : label;
}

/** Replaces the column keys in a message of the engine by the columns' names. */
export const withLabels = (layout: Layout, message: string): string =>
  message.replaceAll(/\bcolumn_\d+\b/g, (key) => columnName(layout, key));

/** Built once per list of columns: a form may have thousands, and every change names each of them. */
const labels = new WeakMap<Layout['columns'], ReadonlyMap<string, string>>();

function labelsOf({ columns }: Layout): ReadonlyMap<string, string> {
  const known = labels.get(columns);
  if (known !== undefined) return known;
  const made = new Map(columns.map(({ key, label }) => [key, label]));
  labels.set(columns, made);
  return made;
}

/** `column Name`, `"Text"`, `Dear {Name}`: a short description of a value's source. */
export function sourceWords(layout: Layout, value: ValueSource | undefined): string {
  if (value === undefined) return 'no value';
  if ('column' in value) return `column ${columnName(layout, value.column)}`;
  if ('static' in value) return value.static === '' ? 'empty' : `“${shortened(value.static)}”`;
  return `template ${shortened(templateWords(layout, value.template))}`;
}

/** `Dear {{column_0}}` → `Dear {Name}`. */
export function templateWords(layout: Layout, template: string): string {
  const parsed = parseTemplate(template);
  if (!parsed.ok) return template;
  return parsed.parts
    .map((part) => ('text' in part ? part.text : `{${columnName(layout, part.column)}}`))
    .join('');
}

/** Columns that a value reads. */
export function columnsIn(value: ValueSource | undefined): readonly string[] {
  if (value === undefined || 'static' in value) return [];
  if ('column' in value) return [value.column];
  const parsed = parseTemplate(value.template);
  return parsed.ok ? parsed.parts.flatMap((part) => ('column' in part ? [part.column] : [])) : [];
}

/** Columns that the values of a field read; a table has one value for each of its columns. */
export const columnsOf = (field: Overlay | FormFieldMapping): readonly string[] =>
  valuesOf(field).flatMap(({ value }) => columnsIn(value));

const LONGEST = 40;
const shortened = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

/** `Text F·1, column Name, x 72 y 100`: the accessible name of an overlay on the page. */
export function overlayWords(layout: Layout, overlay: Overlay, locked: boolean): string {
  const badge = badges(layout).get(overlay.id) ?? overlay.id;
  const place = `x ${formatLength(overlay.x, 'pt')} y ${formatLength(overlay.y, 'pt')}`;
  const tool = toolOf(overlay);
  const label = tool.label?.(overlay);
  const source = label === undefined ? sourceWords(layout, overlay.value) : `“${label}”`;
  const on = overlay.type === 'check' && overlay.on_value !== undefined ? ` is “${overlay.on_value}”` : '';
  return `${tool.name} ${badge}, ${source}${on}, ${place}${locked ? ', locked' : ''}`;
}
