import type { Layout } from '#fill/package/layout-schema.ts';
import { parseTemplate } from '#fill/package/template.ts';
import { matchLabels, normalisedLabel } from '#lib/rows/match-labels.ts';

/**
 * Templates as people read and write them: with the names of columns, `Dear {{First name}}`. The layout stores column keys,
 * `Dear {{column_0}}`, which stay right if a column is renamed.
 */
export type ReadTemplate = { readonly value: string } | { readonly problem: string };

/** The template with column names. A column without a name that leads back to it is shown by its key. */
export function withLabels({ columns }: Pick<Layout, 'columns'>, template: string): string {
  const parsed = parseTemplate(template);
  if (!parsed.ok) return template;
  const labels = new Map(columns.map(({ key, label }) => [key, label.trim()]));
  const shown = (key: string): string => {
    const label = labels.get(key) ?? '';
    const isPlain = label !== '' && !/[{}\r\n]/.test(label);
    return isPlain && keyOf(columns, label) === key ? label : key;
  };
  return parsed.parts.map((part) => ('text' in part ? part.text : `{{${shown(part.column)}}}`)).join('');
}

const KEY = /^column_(?:0|[1-9][0-9]{0,3})$/;
const MOST_SHOWN = 5;
const MOST_CHARACTERS = 10_000;

/** Reads a typed template: names become keys. Says which name is unknown or ambiguous. */
export function fromLabels({ columns }: Pick<Layout, 'columns'>, typed: string): ReadTemplate {
  let template = '';
  let from = 0;
  while (from < typed.length) {
    const open = typed.indexOf('{{', from);
    const literal = open < 0 ? typed.slice(from) : typed.slice(from, open);
    if (literal.includes('}}')) return { problem: 'There is a }} without a {{ before it.' };
    template += literal;
    if (open < 0) break;
    const close = typed.indexOf('}}', open);
    if (close < 0) return { problem: 'There is a {{ without a }} after it.' };
    const name = typed.slice(open + 2, close).trim();
    if (name === '') return { problem: 'Write the name of a column between {{ and }}.' };
    const key = keyOf(columns, name);
    if (key === 'ambiguous') return { problem: ambiguous(columns, name) };
    if (key === undefined) return { problem: unknown(columns, name) };
    template += `{{${key}}}`;
    from = close + 2;
  }
  if (template.length > MOST_CHARACTERS) return { problem: 'Enter at most 10,000 characters.' };
  return { value: template };
}

type Columns = Layout['columns'];

/**
 * A key, an equal label, an equal label once both are normalised, or `Column 3`, which names a column without a label. Keys come
 * first, so that a label that looks like the key of another column cannot take its place.
 */
function keyOf(columns: Columns, name: string): string | 'ambiguous' | undefined {
  if (KEY.test(name)) return name;
  const labels = columns.map(({ label }) => label);
  const { inputs, ambiguous: several } = matchLabels([name], labels);
  if (several.length > 0) return 'ambiguous';
  const [index = null] = inputs;
  if (index !== null) return columns[index]?.key;
  const number = Number(/^column (\d{1,4})$/.exec(normalisedLabel(name))?.[1] ?? 0);
  return number > 0 ? `column_${number - 1}` : undefined;
}

function ambiguous(columns: Columns, name: string): string {
  const same = normalisedLabel(name);
  const keys = columns.filter(({ label }) => normalisedLabel(label) === same).map(({ key }) => `{{${key}}}`);
  return `Several columns are called “${name}”. Write ${keys.join(' or ')} instead.`;
}

function unknown(columns: Columns, name: string): string {
  const labels = columns.map(({ label }) => label).filter((label) => label !== '');
  if (labels.length === 0) return `No column is called “${name}”. Add a rows file, or write {{column_0}}.`;
  const close = closest(labels, name);
  if (close !== undefined) return `No column is called “${name}”. Did you mean “${close}”?`;
  const more = labels.length > MOST_SHOWN ? ` and ${labels.length - MOST_SHOWN} more` : '';
  return `No column is called “${name}”. The columns are ${labels.slice(0, MOST_SHOWN).join(', ')}${more}.`;
}

/** The only label that is at most two letters away, or that begins with the name. */
function closest(labels: readonly string[], name: string): string | undefined {
  const wanted = normalisedLabel(name);
  const near = labels.filter((label) => {
    const offered = normalisedLabel(label);
    return offered.startsWith(wanted) || distance(offered, wanted) <= Math.min(2, wanted.length / 3);
  });
  return near.length === 1 ? near[0] : undefined;
}

/** Levenshtein distance. Labels are short. */
function distance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let at = 1; at <= b.length; at += 1) {
      const changed = (before[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1);
      line.push(Math.min(changed, (before[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1));
    }
    before = line;
  }
  return before[b.length] ?? 0;
}
