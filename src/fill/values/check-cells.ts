import type { RowError, RowWarning } from '../results/row-outcome.ts';
import type { RowCells } from './row-cells.ts';

/**
 * Checks the cells that a layout maps, before anything is drawn and even if a show-if hides their overlay, so that the
 * outcome of a row does not depend on drawing order. Cells that no overlay maps may contain anything.
 */
export const DEFAULT_MAX_CELL_CHARS = 10_000;

/**
 * Returns the first mapped cell that fails its row, or null. `hasErrors`: nothing fails, but a mapped cell contains an error
 * and must be noted (`cellErrorNotes`).
 */
export function checkMappedCells(
  cells: RowCells,
  columns: readonly string[],
  maxCellChars: number,
): { readonly column: string; readonly error: RowError } | 'hasErrors' | null {
  let verdict: 'hasErrors' | null = null;
  for (const key of columns) {
    const cell = cells.get(key);
    if (cell === undefined) continue;
    if (cell === null) {
      verdict = 'hasErrors';
      continue;
    }
    if (typeof cell !== 'string') {
      const message = `${key} holds an object or an array instead of text.`;
      return { column: key, error: { code: 'ROW_VALUE_INVALID', message } };
    }
    if (exceedsChars(cell, maxCellChars)) {
      const message = `${key} is longer than ${maxCellChars} characters.`;
      return { column: key, error: { code: 'ROW_VALUE_TOO_LONG', message } };
    }
  }
  return verdict;
}

/** A note for every overlay and form mapping that depends on a cell with an error. */
export function cellErrorNotes(
  cells: RowCells,
  users: ReadonlyMap<string, readonly string[]>,
): readonly RowWarning[] {
  const notes: RowWarning[] = [];
  for (const [key, ids] of users) {
    if (cells.get(key) !== null) continue;
    const message = `${key} is left blank: the workbook has no value to show in this cell (an error such as #N/A, a formula that was never computed, or a date out of range).`;
    for (const overlay_id of ids) notes.push({ code: 'CELL_ERROR', message, overlay_id });
  }
  return notes;
}

/** Characters are code points: a surrogate pair counts as one. The loop runs only for texts near the limit. */
function exceedsChars(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > 2 * max) return true;
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters > max;
}
