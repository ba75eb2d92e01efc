import type { ColumnInput } from '#fill/package/column-input-schema.ts';
import type { Layout } from '#fill/package/layout-schema.ts';
import { normalisedLabel } from '#lib/rows/match-labels.ts';
import { inputToDeclare } from '../core/columns/column-facts.ts';
import type { RowsInfo } from '../project/project.ts';
import { columnUsage } from './column-usage.ts';

const MAX_LABEL = 200;
const sameInput = (a: ColumnInput | undefined, b: ColumnInput | undefined) =>
  JSON.stringify(a) === JSON.stringify(b);

interface HowRead {
  /** The same file, read with other options. If its first line is no longer a header, the names from it are removed. */
  readonly sameFile: boolean;
  /** The user assigned the file's columns; columns in use keep the project's names. */
  readonly isOrdered: boolean;
}

/**
 * Adds a column for each of the file's, and for each that a field uses. The header sets the labels; a label equal to the
 * project's own changes nothing.
 */
export function withColumns(
  layout: Layout,
  rows: Pick<RowsInfo, 'header' | 'columnCount' | 'columnFacts'>,
  { sameFile, isOrdered }: HowRead,
): Layout {
  const known = new Map(layout.columns.map((column) => [column.key, column]));
  const { readers } = columnUsage(layout, rows.columnCount);
  const lastUsed = Math.max(-1, ...[...readers.keys()].map((key) => Number(key.slice('column_'.length))));
  const labelOf = (index: number, key: string): string => {
    const own = known.get(key)?.label ?? '';
    if (rows.header === null) return sameFile && !isOrdered ? '' : own;
    const given = (rows.header[index] ?? '').trim().slice(0, MAX_LABEL);
    const stays = (isOrdered && readers.has(key)) || normalisedLabel(own) === normalisedLabel(given);
    return (stays ? own : given) || given || own;
  };
  const columns = Array.from({ length: Math.max(rows.columnCount, lastUsed + 1) }, (_, index) => {
    const key = `column_${index}`;
    const label = labelOf(index, key);
    const own = known.get(key);
    // A declared input belongs to a name: a column that gets another name has other values.
    const stays = own?.input !== undefined && (own.label === label || label === '' || own.label === '');
    const facts = rows.columnFacts[index];
    const input = stays ? own.input : facts && inputToDeclare(facts);
    const sameColumn = own?.label === label && sameInput(own.input, input);
    return sameColumn ? own : { key, label, ...(input !== undefined && { input }) };
  });
  const same =
    columns.length === layout.columns.length && columns.every((column) => known.get(column.key) === column);
  return same ? layout : { ...layout, columns };
}
