import type { FillOptions } from './fill-options.ts';
import { isDrawn } from './kinds/kind-of.ts';
import type { Layout } from './package/layout-schema.ts';
import { columnsOfShowIf, columnsOfValue } from './values/columns-used.ts';
import { valuesOf } from './values/values-of.ts';

/** The columns that the page depends on, in order of first use. Stickers that the run leaves out map nothing. */
export function mappedColumns(
  layout: Pick<Layout, 'overlays' | 'form_fields'>,
  options: Pick<FillOptions, 'includeStickers'>,
): readonly string[] {
  return [...columnUsers(layout, options).keys()];
}

/** Maps each column to the ids of the overlays and form mappings that depend on it, both in order of first use. */
export function columnUsers(
  layout: Pick<Layout, 'overlays' | 'form_fields'>,
  options: Pick<FillOptions, 'includeStickers'>,
): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const part of [...layout.overlays, ...layout.form_fields]) {
    if ('type' in part && !isDrawn(part, options)) continue;
    const shown = valuesOf(part).flatMap(({ value }) => columnsOfValue(value));
    for (const key of new Set([...shown, ...columnsOfShowIf(part.show_if)])) {
      const known = users.get(key);
      if (known === undefined) users.set(key, [part.id]);
      else known.push(part.id);
    }
  }
  return users;
}
