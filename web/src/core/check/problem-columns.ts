import type { Layout } from '#fill/package/layout-schema.ts';
import { findOverlay } from '../overlays/find-overlays.ts';
import { columnsOf } from '../overlays/value-words.ts';
import type { RowProblem } from './check-report.ts';

/** A message about one cell starts with the key of its column (src/fill/values/check-cells.ts), in a group after its row. */
const NAMED = /^(?:Row \d+: )?(column_\d+)\b/;

/** The columns whose cells can cause a problem, by key. A problem of a fixed text or of the layout has none. */
export function problemColumns(
  layout: Layout,
  { id, message }: Pick<RowProblem, 'id' | 'message'>,
): readonly string[] {
  const named = NAMED.exec(message)?.[1];
  if (named !== undefined) return [named];
  if (id === null) return [];
  const field = findOverlay(layout, id) ?? layout.form_fields.find((mapping) => mapping.id === id);
  return [...new Set(field === undefined ? [] : columnsOf(field))];
}
