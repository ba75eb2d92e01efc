import type { Layout, ShowIf, ValueSource } from '../package/layout-schema.ts';
import { parseTemplate } from '../package/template.ts';
import type { FillOptions } from './fill-options.ts';
import type { RowCells } from './row-cells.ts';
import type { RowError } from './row-outcome.ts';

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
  const keys = new Set<string>();
  for (const part of [...layout.overlays, ...layout.form_fields]) {
    if ('type' in part && part.type === 'sticker' && !options.includeStickers) continue;
    for (const key of columnsOfValue(part.value)) keys.add(key);
    for (const key of columnsOfShowIf(part.show_if)) keys.add(key);
  }
  return [...keys];
}

/** Returns the first mapped cell that fails its row, or null. */
export function checkMappedCells(
  cells: RowCells,
  columns: readonly string[],
  maxCellChars: number,
): { readonly column: string; readonly error: RowError } | null {
  for (const key of columns) {
    const cell = cells.get(key);
    if (cell === undefined) continue;
    if (typeof cell !== 'string') {
      const message = `${key} holds an object or an array instead of text.`;
      return { column: key, error: { code: 'ROW_VALUE_INVALID', message } };
    }
    if (exceedsChars(cell, maxCellChars)) {
      const message = `${key} is longer than ${maxCellChars} characters.`;
      return { column: key, error: { code: 'ROW_VALUE_TOO_LONG', message } };
    }
  }
  return null;
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
