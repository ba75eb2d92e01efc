import type { FillOptions } from '../fill-options.ts';
import type { Layout, ShowIf, ValueSource } from '../package/layout-schema.ts';
import { parseTemplate } from '../package/template.ts';
import type { RowError, RowWarning } from '../results/row-outcome.ts';
import type { RowCells } from './row-cells.ts';

/**
 * The cells a layout maps are judged before anything is drawn, whether or not a show-if hides their overlay, so
 * that a row's fate does not depend on drawing order. Cells nobody maps may hold anything.
 */
export const DEFAULT_MAX_CELL_CHARS = 10_000;

/** The columns that the page depends on, in order of first use. Left-out stickers map nothing. */
export function mappedColumns(
  layout: Pick<Layout, 'overlays' | 'form_fields'>,
  options: Pick<FillOptions, 'includeStickers'>,
): readonly string[] {
  return [...columnUsers(layout, options).keys()];
}

/** The ids of the overlays and form mappings that depend on each column, both in order of first use. */
export function columnUsers(
  layout: Pick<Layout, 'overlays' | 'form_fields'>,
  options: Pick<FillOptions, 'includeStickers'>,
): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const part of [...layout.overlays, ...layout.form_fields]) {
    if ('type' in part && part.type === 'sticker' && !options.includeStickers) continue;
    for (const key of new Set([...columnsOfValue(part.value), ...columnsOfShowIf(part.show_if)])) {
      const known = users.get(key);
      if (known === undefined) users.set(key, [part.id]);
      else known.push(part.id);
    }
  }
  return users;
}

/**
 * Returns the first mapped cell that fails its row, or null. `hasErrors`: nothing fails, but a mapped cell holds an error
 * and has to be noted (`cellErrorNotes`).
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

/** Characters are code points: a pair of surrogates is one. The loop runs only for texts near the limit. */
function exceedsChars(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > 2 * max) return true;
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters > max;
}

export function columnsOfValue(value: ValueSource | undefined): string[] {
  if (value === undefined || 'static' in value) return [];
  if ('column' in value) return [value.column];
  const template = parseTemplate(value.template);
  if (!template.ok) throw new Error('bug: the layout schema let a malformed template pass');
  return template.parts.flatMap((part) => ('column' in part ? [part.column] : []));
}

function columnsOfShowIf(showIf: ShowIf | undefined): string[] {
  if (showIf === undefined) return [];
  if ('all' in showIf) return showIf.all.map((condition) => condition.column);
  if ('any' in showIf) return showIf.any.map((condition) => condition.column);
  return [showIf.column];
}
