import { DecimalSignFinder, type DecimalSigns } from '#fill/values/decimal-signs.ts';
import { ColumnCounter, type ColumnFacts } from '../../core/columns/column-facts.ts';
import type { ColumnOrder } from '../../core/columns/column-order.ts';
import { columnKey, type Lines, type RowStore } from './row-store.ts';

/** Decimal signs as the server detects them when it reads the rows (src/bulkfill/rows/normalise-rows.ts), and the types of the columns. */
export interface ColumnFindings {
  readonly decimalSigns: DecimalSigns;
  readonly columnFacts: readonly ColumnFacts[];
}

/** The findings of a file without its corrections. */
const known = new WeakMap<RowStore, { readonly key: string; readonly found: ColumnFindings }>();

/**
 * Finds how the columns of the project are written, from all rows. After a correction only the corrected columns are read
 * again, because reading all of a large file would make every edit slow.
 */
export function columnFindings(lines: Lines, skipped: number, order: ColumnOrder | null): ColumnFindings {
  const inputs = order ?? Array.from({ length: lines.columnCount }, (_, column) => column);
  const key = JSON.stringify([skipped, order]);
  let base = known.get(lines.base);
  if (base?.key !== key) {
    base = { key, found: findIn(lines.base, skipped, inputs, [...inputs.keys()]) };
    known.set(lines.base, base);
  }
  const changed = [...inputs.keys()].filter((position) => {
    const input = inputs[position] ?? null;
    return input !== null && lines.correctedColumns.has(input);
  });
  if (changed.length === 0) return base.found;
  const again = findIn(lines, skipped, inputs, changed);
  const columnFacts = base.found.columnFacts.map((facts, position) =>
    changed.includes(position) ? (again.columnFacts[changed.indexOf(position)] ?? facts) : facts,
  );
  const decimalSigns: Record<string, DecimalSigns[string]> = {};
  for (const position of inputs.keys()) {
    const column = columnKey(position);
    const sign = (changed.includes(position) ? again : base.found).decimalSigns[column];
    if (sign !== undefined) decimalSigns[column] = sign;
  }
  return { decimalSigns, columnFacts };
}

/** Reads the given positions of the project's columns. The signs are in the order of the columns. */
function findIn(
  lines: Lines,
  skipped: number,
  inputs: ColumnOrder,
  positions: readonly number[],
): ColumnFindings {
  const finder = new DecimalSignFinder();
  const columns = positions.map((position) => ({
    key: columnKey(position),
    input: inputs[position] ?? null,
    counter: new ColumnCounter(),
  }));
  for (let line = skipped; line < lines.rowCount; line += 1) {
    for (const { key, input, counter } of columns) {
      const cell = input === null ? '' : lines.cell(line, input);
      if (cell === '') continue;
      finder.see(key, cell);
      counter.see(cell);
    }
  }
  const signs = finder.signs();
  const inOrder = columns.flatMap(({ key }) => {
    const sign = signs[key];
    return sign === undefined ? [] : [[key, sign] as const];
  });
  return {
    decimalSigns: Object.fromEntries(inOrder),
    columnFacts: columns.map(({ counter }) => counter.facts()),
  };
}
