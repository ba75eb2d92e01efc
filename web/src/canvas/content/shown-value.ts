import { isMarked, styledParts } from '#fill/kinds/text/styled-parts.ts';
import type { Layout, Overlay, ValueFormat, ValueSource } from '#fill/package/layout-schema.ts';
import type { TextStyle } from '#fill/package/markup.ts';
import { columnReadings } from '#fill/values/column-readings.ts';
import { compileParts, compileValue, NO_NOTES } from '#fill/values/resolve-value.ts';
import type { RowCells } from '#fill/values/row-cells.ts';
import { compileShowIf } from '#fill/values/show-if.ts';
import { columnName, templateWords } from '../../core/overlays/value-words.ts';
import { useEditor } from '../../editor/editor-store.ts';

const rows = new WeakMap<readonly string[], RowCells>();

/** Positional cells in the form that the engine expects. */
export function rowCells(cells: readonly string[]): RowCells {
  const known = rows.get(cells) ?? new Map(cells.map((cell, index) => [`column_${index}`, cell]));
  rows.set(cells, known);
  return known;
}

export interface ShownValue {
  readonly text: string;
  /** Whether the text is the column names, because there are no rows. */
  readonly isPlaceholder: boolean;
  /** The parts of a text with markup. */
  readonly parts?: readonly ShownPart[];
}

export interface ShownPart {
  /** Its number among the parts. */
  readonly place: number;
  readonly text: string;
  readonly style: TextStyle;
}

/** The value of an overlay on the canvas. A text with markup has its styles, and no marks. */
export function shownOverlay(layout: Layout, overlay: Overlay, cells: readonly string[]): ShownValue {
  const format = 'format' in overlay ? overlay.format : undefined;
  if (overlay.type !== 'text' || !isMarked(overlay)) return shownValue(layout, overlay.value, format, cells);
  const styled = styledParts(overlay);
  const isPlaceholder = cells.length === 0 && styled.some((part) => 'column' in part);
  const texts: string[] = [];
  if (isPlaceholder)
    for (const part of styled)
      texts.push('text' in part ? part.text : `{${columnName(layout, part.column)}}`);
  else {
    const { rows: file } = useEditor.getState();
    const read = compileParts(styled, format, columnReadings(layout, file?.decimalSigns));
    read(rowCells(cells), NO_NOTES, (text) => texts.push(text));
  }
  const parts = styled.map(({ style }, place) => ({ place, text: texts[place] ?? '', style }));
  return { text: texts.join(''), isPlaceholder, parts };
}

/** The text of an overlay on the canvas: the preview row's value by the engine's own rules, or the column's name if there are no rows. */
export function shownValue(
  layout: Layout,
  source: ValueSource | undefined,
  format: ValueFormat | undefined,
  cells: readonly string[],
): ShownValue {
  if (source === undefined) return { text: '', isPlaceholder: false };
  if (cells.length === 0 && !('static' in source)) {
    const text =
      'column' in source ? `{${columnName(layout, source.column)}}` : templateWords(layout, source.template);
    return { text, isPlaceholder: true };
  }
  const { rows: file } = useEditor.getState();
  const read = compileValue(source, format, columnReadings(layout, file?.decimalSigns));
  return { text: read(rowCells(cells), NO_NOTES), isPlaceholder: false };
}

/** Whether the overlay is shown for the preview row; always true without rows. */
export function isShown(overlay: Overlay, cells: readonly string[]): boolean {
  return cells.length === 0 || compileShowIf(overlay.show_if)(rowCells(cells));
}
