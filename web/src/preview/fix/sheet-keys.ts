import type { KeyboardEvent } from 'react';
import { columnIndex } from '../../core/overlays/value-words.ts';
import { isCorrectable } from '../../data/correct-cells.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { engine } from '../../engine/engine-client.ts';
import { moveTo, useFix } from './fix-store.ts';
import type { SheetRow, Spot } from './sheet-rows.ts';

const PAGE_ROWS = 15;

/** The place that a key moves to; undefined for other keys. The first column is the row's own cell, `null`. */
export function placeAfter(
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  from: Spot,
  rows: readonly SheetRow[],
  columns: readonly (string | null)[],
): Spot | undefined {
  const mod = ctrlKey || metaKey;
  const at = rows.findIndex(({ row }) => row === from.row);
  const across = columns.indexOf(from.column);
  const to = (line: number, column: number): Spot => ({
    row: rows[Math.min(Math.max(line, 0), rows.length - 1)]?.row ?? from.row,
    column: columns[Math.min(Math.max(column, 0), columns.length - 1)] ?? null,
  });
  switch (key) {
    case 'ArrowDown':
      return to(mod ? rows.length - 1 : at + 1, across);
    case 'ArrowUp':
      return to(mod ? 0 : at - 1, across);
    case 'ArrowRight':
      return to(at, mod ? columns.length - 1 : across + 1);
    case 'ArrowLeft':
      return to(at, mod ? 0 : across - 1);
    case 'PageDown':
      return to(at + PAGE_ROWS, across);
    case 'PageUp':
      return to(at - PAGE_ROWS, across);
    case 'Home':
      return to(mod ? 0 : at, 0);
    case 'End':
      return to(mod ? rows.length - 1 : at, columns.length - 1);
    default:
      return undefined;
  }
}

/** The place right or left of a cell, around the ends of rows; undefined at the ends of the sheet. */
export function placeBeside(
  from: Spot,
  step: 1 | -1,
  rows: readonly SheetRow[],
  columns: readonly string[],
): Spot | undefined {
  const at = rows.findIndex(({ row }) => row === from.row);
  const across = from.column === null ? -1 : columns.indexOf(from.column);
  const place = at * columns.length + across + step;
  const row = rows[Math.floor(place / columns.length)]?.row;
  const column = columns[place % columns.length];
  return place < 0 || row === undefined || column === undefined ? undefined : { row, column };
}

/** Handles a key on a cell that is not being edited: moving, starting to edit, clearing, undo. */
export function pressOnCell(
  event: KeyboardEvent,
  spot: Spot,
  rows: readonly SheetRow[],
  columns: readonly string[],
  edit: { readonly text: string; readonly begin: (text: string) => void; readonly clear: () => void } | null,
): void {
  const mod = event.ctrlKey || event.metaKey;
  if (event.altKey) return;
  const next = placeAfter(event, spot, rows, [null, ...columns]);
  const letter = event.key.toLowerCase();
  if (next !== undefined) moveTo(next);
  else if (mod && letter === 'z') event.shiftKey ? useEditor.getState().redo() : useEditor.getState().undo();
  else if (mod && letter === 'y') useEditor.getState().redo();
  else if (edit === null || mod) return;
  else if (event.key === 'Enter' || event.key === 'F2') edit.begin(edit.text);
  else if (event.key === 'Delete' || event.key === 'Backspace') edit.clear();
  // Typing replaces the text, as in a spreadsheet.
  else if (event.key.length === 1 && event.key !== ' ') edit.begin(event.key);
  else return;
  event.preventDefault();
}

/** Starts to edit the cell that Tab moved to, unless the user has typed or moved on. */
export async function editThere(spot: Spot): Promise<void> {
  if (spot.column === null || !isCorrectable(useEditor.getState().rowsReading, spot.column)) return;
  const [cells = []] = await engine.pickRows([spot.row]);
  const { active, typed } = useFix.getState();
  if (active === spot && typed === null) beginEdit(cells[columnIndex(spot.column)] ?? '');
}

export const beginEdit = (text: string): void => useFix.setState({ typed: text });
