import { DecimalSum } from '#fill/format/decimal-sum.ts';
import type { ColumnReadings } from '#fill/values/column-readings.ts';
import { cellText, compileValue, NO_NOTES, type ReadValue } from '#fill/values/resolve-value.ts';
import type { RowCells } from '#fill/values/row-cells.ts';
import type { TableColumn, TableOverlay } from './schema.ts';

/** A compiled column of a table. */
export interface ReadyColumn {
  readonly column: TableColumn;
  /** Distance of the column from the table's left edge. */
  readonly x: number;
  readonly width: number;
  readonly read: ReadValue;
  readonly total: ColumnTotal | undefined;
}

/** The total of a column, one per document. `add` returns false if the value cannot be added. */
interface ColumnTotal {
  begin(): { add(cells: RowCells, shown: string): boolean; text(): string };
}

/** The widths of the columns are shares of the table's width. */
export function readyColumns(overlay: TableOverlay, readings: ColumnReadings): readonly ReadyColumn[] {
  const shares = overlay.columns.reduce((sum, { width }) => sum + width, 0);
  let before = 0;
  return overlay.columns.map((column) => {
    const x = (overlay.width * before) / shares;
    before += column.width;
    return {
      column,
      x,
      width: (overlay.width * column.width) / shares,
      read: compileValue(column.value, column.format, readings),
      total: totalOf(column, readings),
    };
  });
}

function totalOf({ total, value, format }: TableColumn, readings: ColumnReadings): ColumnTotal | undefined {
  if (total === undefined) return undefined;
  if (total === 'count') {
    return {
      begin: () => {
        let count = 0;
        return {
          add: (_, shown) => {
            if (shown.trim() !== '') count += 1;
            return true;
          },
          text: () => String(count),
        };
      },
    };
  }
  if (!('column' in value)) throw new Error('bug: the layout schema accepted the sum of a text');
  const key = value.column;
  const reading = readings[key];
  const declared = format !== undefined && 'number' in format ? format.input_decimal : undefined;
  const sign = declared ?? (typeof reading === 'string' && reading !== 'text' ? reading : '.');
  // The sum itself is written with a point.
  const plain =
    format !== undefined && 'number' in format ? { ...format, input_decimal: '.' as const } : undefined;
  const shownSum = compileValue({ column: 'sum' }, plain);
  return {
    begin: () => {
      const sum = new DecimalSum();
      return {
        add: (cells) => {
          const text = cellText(cells, key);
          return text.trim() === '' || sum.add(text, sign);
        },
        text: () => shownSum(new Map([['sum', sum.toString()]]), NO_NOTES),
      };
    },
  };
}
