import type { Layout } from '#fill/package/layout-schema.ts';
import { TOOLS } from '../../kinds/tools.ts';
import { badges } from './badges.ts';

/** The displayed name of a field: `Text F·1`, or the name from the form. */
export function fieldName(layout: Layout, id: string): string {
  const overlay = layout.overlays.find((candidate) => candidate.id === id);
  if (overlay !== undefined) return `${TOOLS[overlay.type].name} ${badges(layout).get(id) ?? id}`;
  return layout.form_fields.find((mapping) => mapping.id === id)?.field ?? id;
}
