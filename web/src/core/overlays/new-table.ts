import type { TableColumn } from '#fill/kinds/table/schema.ts';
import { tableTraits } from '#fill/kinds/table/traits.ts';
import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { type ColumnFacts, detectType } from '../columns/column-facts.ts';
import { columnIndex, columnName } from './value-words.ts';

/** What is known about the rows when a field is made: the preview row, and how the values of each column are written. */
export interface RowSamples {
  readonly cells: readonly string[];
  readonly facts: readonly ColumnFacts[];
}

export const NO_SAMPLES: RowSamples = { cells: [], facts: [] };

/** A narrower column shows little of its header. */
const LEAST_WIDTH = 60;
/** More columns are added by hand. */
const MOST_COLUMNS = 6;
const LEAST_CHARACTERS = 5;
const MOST_CHARACTERS = 30;

/**
 * The columns of a new table: the first ones of the rows, as many as the table has room for. A column is as wide as its header
 * and its value in the preview row need; numbers are aligned to the right.
 */
export function newTableColumns(layout: Layout, width: number, { cells, facts }: RowSamples): TableColumn[] {
  const count = Math.min(MOST_COLUMNS, Math.max(1, Math.floor(width / LEAST_WIDTH)));
  const keys = layout.columns.slice(0, count).map(({ key }) => key);
  if (keys.length === 0) return tableTraits.defaults.columns;
  const characters = keys.map((key) =>
    Math.min(
      MOST_CHARACTERS,
      Math.max(LEAST_CHARACTERS, columnName(layout, key).length, cells[columnIndex(key)]?.length ?? 0),
    ),
  );
  const total = characters.reduce((sum, each) => sum + each, 0);
  return keys.map((key, place) => {
    const known = facts[columnIndex(key)];
    const type = known === undefined ? 'text' : detectType(known).type;
    return {
      header: columnName(layout, key),
      value: { column: key },
      width: Math.round(((characters[place] ?? 0) / total) * 1000) / 10,
      align: type === 'whole' || type === 'number' ? 'right' : 'left',
      fit: 'wrap',
    };
  });
}

/** The members that put an overlay on a page. A table never continues on a page before its own. */
export function placedOn(overlay: Overlay, page: number): Partial<Overlay> {
  const isBefore =
    overlay.type === 'table' && overlay.continue_on !== undefined && overlay.continue_on < page;
  return isBefore ? { page, continue_on: page } : { page };
}
