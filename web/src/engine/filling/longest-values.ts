import type { Layout } from '#fill/package/layout-schema.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { columnReadings } from '#fill/values/column-readings.ts';
import { compileValue, NO_NOTES } from '#fill/values/resolve-value.ts';
import type { LongestValue } from '../engine-client.ts';
import type { OpenRows } from '../rows/open-rows.ts';
import { breathe, STRETCH_MS } from './breathe.ts';

const formatOf = (field: Layout['overlays'][number] | Layout['form_fields'][number]) =>
  'format' in field ? field.format : undefined;

/** For each field that uses a column: the row with the longest value, formatted as in the document. */
export async function longestValues(
  layout: Layout,
  rows: OpenRows | null,
  signal: AbortSignal,
): Promise<readonly LongestValue[]> {
  if (rows === null || !layoutSchema.safeParse(layout).success) return [];
  const readings = columnReadings(layout, rows.info.decimalSigns);
  const fields = [...layout.overlays, ...layout.form_fields].flatMap((field) =>
    field.value === undefined || 'static' in field.value
      ? []
      : [{ id: field.id, read: compileValue(field.value, formatOf(field), readings) }],
  );
  const longest = fields.map(({ id }) => ({ id, row: 1, characters: 0 }));
  let stretchEnds = performance.now() + STRETCH_MS;
  for (let row = 1; row <= rows.info.rowCount && !signal.aborted; row += 1) {
    const cells = rows.engineCells(row);
    fields.forEach(({ read }, index) => {
      const best = longest[index];
      const characters = read(cells, NO_NOTES).length;
      if (best !== undefined && characters > best.characters) Object.assign(best, { row, characters });
    });
    if (performance.now() < stretchEnds) continue;
    await breathe();
    stretchEnds = performance.now() + STRETCH_MS;
  }
  return longest;
}
