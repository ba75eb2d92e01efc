import { type InputDecimal, onlySign } from '../format/read-decimal.ts';
import type { Layout } from '../package/layout-schema.ts';
import { columnsOfValue } from './columns-used.ts';
import type { Cell } from './row-cells.ts';
import { valuesOf } from './values-of.ts';

/**
 * The decimal sign of each column that does not use a point throughout. It is determined once from all rows of a run and is
 * then an option of that run, so that a row's bytes still depend only on the row and the options.
 */
export type DecimalSigns = Readonly<Record<string, Exclude<InputDecimal, '.'>>>;

const ONLY_POINT = 1;
const ONLY_COMMA = 2;
const COLUMN_KEY = /^column_(0|[1-9][0-9]{0,3})$/;

/**
 * Finds the signs while rows are read, with two bits per column. A value that fits both signs (`12`, `1.234`) or neither (a
 * word) is ignored. A column uses the comma if some value fits only the comma and none fits only the point. A column with
 * values of both kinds is mixed. Any other column uses the point.
 */
export class DecimalSignFinder {
  readonly #found = new Map<string, number>();

  see(key: string, cell: Cell): void {
    if (typeof cell !== 'string' || !mayDecide(cell)) return;
    const sign = onlySign(cell);
    if (sign === null) return;
    const before = this.#found.get(key);
    // Other keys cannot be mapped, and there may be any number of them.
    if (before === undefined && !COLUMN_KEY.test(key)) return;
    this.#found.set(key, (before ?? 0) | (sign === '.' ? ONLY_POINT : ONLY_COMMA));
  }

  signs(): DecimalSigns {
    const signs: Record<string, Exclude<InputDecimal, '.'>> = {};
    for (const [key, bits] of this.#found) {
      if (bits !== ONLY_POINT) signs[key] = bits === ONLY_COMMA ? ',' : 'mixed';
    }
    return signs;
  }
}

const LONGEST = 100;

/** A cheap first test: a cell that starts like a number and contains a point or a comma. Nearly all cells fail it. */
function mayDecide(text: string): boolean {
  const first = text.charCodeAt(0);
  const isDigit = first >= 0x30 && first <= 0x39;
  if (!isDigit && first !== 0x2d && first !== 0x2b && first !== 0x20 && first < 0xa0) return false;
  return text.length <= LONGEST && (text.includes(',') || text.includes('.'));
}

/** Columns with a number format or a sum that does not declare their sign, in order of first use. */
export function undeclaredNumberColumns({
  columns,
  overlays,
  form_fields,
}: Pick<Layout, 'columns' | 'overlays' | 'form_fields'>): readonly string[] {
  const keys = new Set<string>();
  const declared = new Set(columns.flatMap(({ key, input }) => (input === undefined ? [] : [key])));
  for (const { value, format, isSummed } of [...overlays, ...form_fields].flatMap(valuesOf)) {
    const number = format !== undefined && 'number' in format ? format : undefined;
    if (number?.input_decimal !== undefined || (number === undefined && isSummed !== true)) continue;
    for (const key of columnsOfValue(value)) if (!declared.has(key)) keys.add(key);
  }
  return [...keys];
}

/** The signs of those columns, in their order; undefined if all are points. */
export function signsOf(columns: readonly string[], signs: DecimalSigns): DecimalSigns | undefined {
  const entries = columns.flatMap((key) => {
    const sign = signs[key];
    return sign === undefined ? [] : [[key, sign] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
