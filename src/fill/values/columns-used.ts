import type { ShowIf, ValueSource } from '../package/layout-schema.ts';
import { parseTemplate } from '../package/template.ts';

/** The columns that a value reads, in order. */
export function columnsOfValue(value: ValueSource | undefined): string[] {
  if (value === undefined || 'static' in value) return [];
  if ('column' in value) return [value.column];
  const template = parseTemplate(value.template);
  if (!template.ok) throw new Error('bug: the layout schema accepted a malformed template');
  return template.parts.flatMap((part) => ('column' in part ? [part.column] : []));
}

/** The columns that a condition reads, in order. */
export function columnsOfShowIf(showIf: ShowIf | undefined): string[] {
  if (showIf === undefined) return [];
  if ('all' in showIf) return showIf.all.map((condition) => condition.column);
  if ('any' in showIf) return showIf.any.map((condition) => condition.column);
  return [showIf.column];
}
