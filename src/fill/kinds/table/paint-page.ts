import type { Color, DisplayItem, Frame, TextLine } from '#fill/draw/display-list.ts';
import { colorOf } from '#fill/draw/frame.ts';
import { turnOf } from '#fill/draw/turn.ts';
import { pdfNumber } from '#fill/write/pdf-number.ts';
import type { PlacedRow } from './flow-rows.ts';
import type { TableOverlay } from './schema.ts';
import type { LaidCell, LaidRow } from './table-cells.ts';
import type { ReadyColumn } from './table-columns.ts';

/** Where a table is on one page. */
export interface TableBox {
  readonly y: number;
  readonly height: number;
}

interface Shown extends LaidRow {
  readonly kind: 'header' | PlacedRow['kind'];
  readonly striped: boolean;
}

/**
 * The items of a table on one page: backgrounds and lines, then the text. Cells of one size and colour are one item, so a page
 * needs one text object and not one per cell.
 */
export function paintPage(
  overlay: TableOverlay,
  columns: readonly ReadyColumn[],
  box: TableBox,
  header: LaidRow | undefined,
  rows: readonly PlacedRow[],
): DisplayItem[] {
  const frame: Frame = { ...pick(overlay), y: box.y, height: box.height };
  const shown: Shown[] = [
    ...(header === undefined ? [] : [{ ...header, kind: 'header' as const, striped: false }]),
    ...rows,
  ];
  const fills = new Map<string, string>();
  const texts = new Map<
    string,
    { readonly color: Color; readonly size: number; readonly lines: TextLine[] }
  >();
  const clipped: DisplayItem[] = [];
  const edges: number[] = [box.height];
  let top = box.height;
  for (const row of shown) {
    const bottom = top - row.height;
    const fill = row.kind === 'header' ? overlay.header_fill : row.striped ? overlay.stripe : undefined;
    if (fill !== undefined)
      fills.set(fill, (fills.get(fill) ?? '') + rectangle(0, bottom, overlay.width, row.height));
    const hex = row.kind === 'header' ? (overlay.header_color ?? overlay.color) : overlay.color;
    for (const cell of row.cells) {
      if (cell.clipped) {
        clipped.push(clippedText(overlay, frame, cell, bottom, row.height, colorOf(hex)));
        continue;
      }
      const key = `${hex} ${cell.size}`;
      const text = texts.get(key) ?? { color: colorOf(hex), size: cell.size, lines: [] };
      if (text.lines.length === 0) texts.set(key, text);
      const x = cell.column.x + overlay.padding;
      for (const line of cell.lines)
        text.lines.push({ ...line, x: line.x + x, baseline: line.baseline + bottom + overlay.padding });
    }
    top = bottom;
    edges.push(bottom);
  }
  const overlayId = overlay.id;
  const shape = (hex: string, path: string): DisplayItem => ({
    kind: 'shape',
    overlayId,
    frame,
    color: colorOf(hex),
    path,
    x: 0,
    y: 0,
    width: 1,
    height: 1,
    isDecoration: true,
  });
  const lines = linePath(overlay, columns, edges);
  return [
    ...[...fills].map(([hex, path]) => shape(hex, path)),
    ...(lines === '' ? [] : [shape(overlay.line_color, lines)]),
    ...[...texts.values()].map(
      ({ color, size, lines: set }): DisplayItem => ({
        kind: 'text',
        overlayId,
        frame,
        color,
        size,
        lines: set,
        clipped: false,
      }),
    ),
    ...clipped,
  ];
}

/** Lines below the header and the rows; in a grid, around every cell. */
function linePath(
  { lines, line_width, width }: TableOverlay,
  columns: readonly ReadyColumn[],
  edges: readonly number[],
): string {
  if (lines === 'none' || edges.length < 2) return '';
  const half = line_width / 2;
  const top = edges[0] ?? 0;
  const bottom = edges.at(-1) ?? 0;
  let path = '';
  for (const edge of lines === 'grid' ? edges : edges.slice(1))
    path += rectangle(-half, edge - half, width + line_width, line_width);
  if (lines !== 'grid') return path;
  for (const x of [...columns.map((column) => column.x), width])
    path += rectangle(x - half, bottom, line_width, top - bottom);
  return path;
}

/** Text that is cut at the edges of its cell needs a frame of its own. */
function clippedText(
  { id, padding }: TableOverlay,
  table: Frame,
  { column, size, lines }: LaidCell,
  bottom: number,
  height: number,
  color: Color,
): DisplayItem {
  const inner = { x: column.x + padding, width: Math.max(0.1, column.width - 2 * padding) };
  const frame = insideOf(table, { ...inner, y: bottom + padding, height: height - 2 * padding });
  return { kind: 'text', overlayId: id, frame, color, size, lines, clipped: true };
}

/** A part of a frame, given from its bottom-left corner, as a frame that is turned about its own centre. */
function insideOf(frame: Frame, part: { x: number; y: number; width: number; height: number }): Frame {
  const dx = part.x + part.width / 2 - frame.width / 2;
  const dy = frame.height / 2 - (part.y + part.height / 2);
  const { sin, cos } = turnOf(frame.rotation);
  const centreX = frame.x + frame.width / 2 + dx * cos - dy * sin;
  const centreY = frame.y + frame.height / 2 + dx * sin + dy * cos;
  return {
    ...frame,
    x: centreX - part.width / 2,
    y: centreY - part.height / 2,
    width: part.width,
    height: part.height,
  };
}

function rectangle(x: number, y: number, width: number, height: number): string {
  return `${pdfNumber(x)} ${pdfNumber(y)} ${pdfNumber(width)} ${pdfNumber(height)} re\n`;
}

function pick({ x, y, width, height, rotation, opacity }: TableOverlay): Frame {
  return { x, y, width, height, rotation, opacity };
}
