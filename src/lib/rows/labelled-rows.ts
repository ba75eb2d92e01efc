import { bindColumns } from './bind-columns.ts';
import { matchLabels } from './match-labels.ts';
import type { RowDecoder } from './read-rows.ts';
import type { Cell, RowCells } from './row-cells.ts';
import { RowsRefused } from './rows-refused.ts';

/** How the columns of a row input find those of the package: by position, or by their labels. */
export const MATCH_COLUMNS = ['position', 'label'] as const;
export type MatchColumns = (typeof MATCH_COLUMNS)[number];

/** A column that the package declares or its layout uses. */
export interface LabelledColumn {
  readonly key: string;
  readonly label: string;
  readonly used: boolean;
}

/** The name of the input that filled a column; null if none did. */
export interface ColumnInput {
  readonly key: string;
  readonly label: string;
  readonly input: string | null;
}

/** `header`: the first row holds the names. `keys`: the keys of each row are the names, and `column_N` always works too. */
export type NamesIn = 'header' | 'keys';

const COLUMN_KEY = /^column_(0|[1-9][0-9]{0,3})$/;
const MAX_KNOWN = 1_000;

/**
 * Renames the cells of another decoder's rows to the keys of the package's columns, by label. Cells of other columns are dropped.
 * Throws `RowsRefused` if a used column is missing or ambiguous.
 */
export class LabelledRows implements RowDecoder {
  readonly #inner: RowDecoder;
  readonly #columns: readonly LabelledColumn[];
  readonly #namesIn: NamesIn;
  /** The key of the package for each key of the input, once the header was read. */
  #byHeader: ReadonlyMap<string, string> | null = null;
  /** The same for each set of JSON keys that occurred. */
  readonly #byKeys = new Map<string, ReadonlyMap<string, string>>();
  readonly #inputs = new Map<string, string>();
  /** Whether a header or a row has been read. */
  #hasNames = false;

  constructor(inner: RowDecoder, columns: readonly LabelledColumn[], namesIn: NamesIn) {
    this.#inner = inner;
    this.#columns = columns;
    this.#namesIn = namesIn;
  }

  push(chunk: Uint8Array): RowCells[] {
    return this.#renamed(this.#inner.push(chunk));
  }

  end(): RowCells[] {
    const rows = this.#renamed(this.#inner.end());
    // An input without rows is refused as such.
    if (this.#hasNames) this.#refuseMissing();
    return rows;
  }

  /** The input of each column. Complete after the last row. */
  columns(): readonly ColumnInput[] {
    return this.#columns.map(({ key, label }) => ({ key, label, input: this.#inputs.get(key) ?? null }));
  }

  #renamed(rows: RowCells[]): RowCells[] {
    if (rows.length > 0) this.#hasNames = true;
    if (this.#namesIn === 'keys') return rows.map((row) => renamed(row, this.#targetsOf([...row.keys()])));
    let data = rows;
    if (this.#byHeader === null) {
      const [header, ...rest] = rows;
      if (header === undefined) return rows;
      this.#byHeader = this.#targetsOfHeader(header);
      data = rest;
    }
    const targets = this.#byHeader;
    return data.map((row) => renamed(row, targets));
  }

  #targetsOfHeader(header: RowCells): ReadonlyMap<string, string> {
    const positions = [...header.keys()].map((key) => Number(key.slice('column_'.length)));
    const names = Array.from({ length: Math.max(-1, ...positions) + 1 }, (_, index) => {
      const cell = header.get(`column_${index}`);
      return typeof cell === 'string' ? cell : '';
    });
    const targets = this.#bound(names, (index) => `column_${index}`);
    this.#refuseMissing();
    return targets;
  }

  #targetsOf(keys: readonly string[]): ReadonlyMap<string, string> {
    const id = JSON.stringify(keys);
    const known = this.#byKeys.get(id);
    if (known !== undefined) return known;
    const names = keys.filter((key) => !COLUMN_KEY.test(key));
    const targets = new Map(this.#bound(names, (index) => names[index] ?? ''));
    const taken = new Set(targets.values());
    for (const { key, label } of this.#columns) {
      if (!keys.includes(key)) continue;
      if (taken.has(key)) throw ambiguous([label]);
      targets.set(key, key);
      this.#inputs.set(key, this.#inputs.get(key) ?? key);
    }
    if (this.#byKeys.size >= MAX_KNOWN) this.#byKeys.clear();
    this.#byKeys.set(id, targets);
    return targets;
  }

  /** Used columns first: a column that nothing reads must not take their input. */
  #bound(names: readonly string[], keyOf: (index: number) => string): ReadonlyMap<string, string> {
    const used = this.#columns.filter((column) => column.used);
    const bound = bindColumns(
      used.map(({ key, label }) => ({ position: Number(key.slice('column_'.length)), label })),
      names,
    );
    const unclear = bound.filter(({ match }) => match === 'ambiguous');
    if (unclear.length > 0) throw ambiguous(unclear.map(({ label }) => label));
    const targets = new Map<string, string>();
    const take = (key: string, input: number | null) => {
      if (input === null) return;
      targets.set(keyOf(input), key);
      this.#inputs.set(key, this.#inputs.get(key) ?? names[input] ?? '');
    };
    for (const [index, { key }] of used.entries()) take(key, bound[index]?.input ?? null);
    const taken = new Set(bound.map(({ input }) => input));
    const rest = [...names.keys()].filter((input) => !taken.has(input));
    const others = this.#columns.filter((column) => !column.used);
    const { inputs } = matchLabels(
      others.map(({ label }) => label),
      rest.map((input) => names[input] ?? ''),
    );
    for (const [index, { key }] of others.entries()) take(key, rest[inputs[index] ?? -1] ?? null);
    return targets;
  }

  #refuseMissing(): void {
    const missing = this.#columns.filter(({ key, used }) => used && !this.#inputs.has(key));
    if (missing.length === 0) return;
    throw new RowsRefused(
      'COLUMNS_MISSING',
      `The layout uses columns that the rows do not have: ${listed(missing.map(({ key, label }) => label || key))}.`,
    );
  }
}

function renamed(row: RowCells, targets: ReadonlyMap<string, string>): RowCells {
  const cells = new Map<string, Cell>();
  for (const [key, cell] of row) {
    const target = targets.get(key);
    if (target !== undefined && cell !== '') cells.set(target, cell);
  }
  return cells;
}

function ambiguous(labels: readonly string[]): RowsRefused {
  return new RowsRefused(
    'COLUMNS_AMBIGUOUS',
    `These labels of the layout do not name exactly one column of the rows: ${listed([...new Set(labels)])}.`,
  );
}

const NAMED = 10;

function listed(labels: readonly string[]): string {
  const rest = labels.length - NAMED;
  const named = labels
    .slice(0, NAMED)
    .map((label) => JSON.stringify(label))
    .join(', ');
  return rest > 0 ? `${named} and ${rest} more` : named;
}
