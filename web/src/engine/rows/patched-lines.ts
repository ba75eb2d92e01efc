import type { CellPatch } from '../../core/rows/cell-patches.ts';
import { patchedCells } from '../../core/rows/cell-patches.ts';
import type { RowsReading } from '../../project/project.ts';
import { columnKey, type Lines, type RowStore } from './row-store.ts';

/** The lines of a file with corrections over them. The store of the file stays as it is. */
class PatchedLines implements Lines {
  readonly base: RowStore;
  readonly correctedColumns: ReadonlySet<number>;
  readonly hasErrors: boolean;
  /** New texts by line and column of the file. */
  readonly #texts: ReadonlyMap<number, ReadonlyMap<number, string>>;

  constructor(base: RowStore, texts: ReadonlyMap<number, ReadonlyMap<number, string>>) {
    this.base = base;
    this.#texts = texts;
    this.correctedColumns = new Set([...texts.values()].flatMap((line) => [...line.keys()]));
    this.hasErrors = base.errorLines().some((line) => this.errors(line).length > 0);
  }

  get rowCount(): number {
    return this.base.rowCount;
  }

  get columnCount(): number {
    return this.base.columnCount;
  }

  cells(index: number): string[] {
    const cells = this.base.cells(index);
    const texts = this.#texts.get(index);
    if (texts === undefined) return cells;
    for (const [column, text] of texts) {
      while (cells.length <= column) cells.push('');
      cells[column] = text;
    }
    return cells;
  }

  cell(index: number, column: number): string {
    return this.#texts.get(index)?.get(column) ?? this.base.cell(index, column);
  }

  /** A corrected cell shows its new text instead of the error. */
  errors(index: number): readonly number[] {
    const texts = this.#texts.get(index);
    const errors = this.base.errors(index);
    return texts === undefined ? errors : errors.filter((column) => !texts.has(column));
  }
}

/**
 * Applies the corrections of `reading`. A correction that does not fit is not applied and is returned: its row or column is
 * not in the file, or the cell has another text than the one that was corrected.
 */
export function patchLines(
  store: RowStore,
  reading: Pick<RowsReading, 'header' | 'columns' | 'patches'>,
): { readonly lines: Lines; readonly unfitting: readonly CellPatch[] } {
  const patches = patchedCells(reading.patches);
  if (patches.length === 0) return { lines: store, unfitting: [] };
  const skipped = reading.header ? 1 : 0;
  const texts = new Map<number, Map<number, string>>();
  const unfitting: CellPatch[] = [];
  for (const patch of patches) {
    const line = patch.row - 1 + skipped;
    const column = fileColumn(patch.column, store.columnCount, reading.columns ?? null);
    const fits = patch.row >= 1 && line < store.rowCount && column !== null;
    if (!fits || store.cell(line, column) !== patch.was) {
      unfitting.push(patch);
      continue;
    }
    texts.set(line, (texts.get(line) ?? new Map<number, string>()).set(column, patch.text));
  }
  return { lines: new PatchedLines(store, texts), unfitting };
}

/** The column of the file that fills a column of the project; null if none does. */
function fileColumn(key: string, columnCount: number, order: RowsReading['columns']): number | null {
  const position = Number(key.slice('column_'.length));
  if (columnKey(position) !== key) return null;
  const column = order === null || order === undefined ? position : (order[position] ?? null);
  return column !== null && column < columnCount ? column : null;
}
