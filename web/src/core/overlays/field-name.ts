import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { TOOLS, toolOf } from '../../kinds/tools.ts';
import { badges, isChosenId } from './badges.ts';
import { columnName, templateWords } from './value-words.ts';

/** The displayed name of a field: `Text F·1`, or the name from the form. */
export function fieldName(layout: Layout, id: string): string {
  const overlay = layout.overlays.find((candidate) => candidate.id === id);
  if (overlay !== undefined) return `${TOOLS[overlay.type].name} ${badges(layout).get(id) ?? id}`;
  return layout.form_fields.find((mapping) => mapping.id === id)?.field ?? id;
}

/** What a field is about: the id that a person chose, otherwise its column, its template or its text. */
export function ownName(layout: Layout, overlay: Overlay): string {
  if (isChosenId(overlay)) return overlay.id;
  const tool = toolOf(overlay);
  const { value } = overlay;
  const words =
    tool.label?.(overlay) ??
    (value === undefined
      ? ''
      : 'column' in value
        ? columnName(layout, value.column)
        : 'static' in value
          ? value.static
          : templateWords(layout, value.template));
  return words.trim() === '' ? tool.name : words;
}
