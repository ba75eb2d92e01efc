import type { DisplayItem } from '#fill/draw/display-list.ts';
import type { DrawTools } from '#fill/draw/draw-tools.ts';
import type { PlaceOverlay, RowContext } from '#fill/draw/place-overlay.ts';
import { ITEM_MARKS, TABLE_PAGE_MARKS } from '#fill/draw/work-budget.ts';
import { rowsOf } from '#lib/rows/group-cells.ts';
import { type Flow, flowRows } from './flow-rows.ts';
import { paintPage } from './paint-page.ts';
import type { TableOverlay } from './schema.ts';
import { CellSetter } from './table-cells.ts';
import { type ReadyColumn, readyColumns } from './table-columns.ts';

/** Most pages of one table. A group has at most 5,000 rows, and even a page of two rows per page stays below. */
const MAX_PAGES = 2500;

type TableRows = ReturnType<typeof rowsOf>;

/** Compiles a table: one line per row of the document, on as many pages as they need. */
export function compileTableOverlay(
  overlay: TableOverlay,
  { faces, readings, pageCount }: DrawTools,
): PlaceOverlay {
  const columns = readyColumns(overlay, readings);
  const setter = new CellSetter(overlay, faces.shaper);
  const body = faces.chain(overlay.font, overlay);
  const bold = faces.chain(overlay.font, { bold: true, italic: overlay.italic });
  const rowMarks = columns.length + ITEM_MARKS;
  const headerMarks = overlay.columns.reduce((sum, column) => sum + column.header.length, rowMarks);
  const pageMarks = TABLE_PAGE_MARKS + (overlay.header ? headerMarks : 0);
  const hasTotals = columns.some(({ total }) => total !== undefined);
  // A page that the PDF does not have cannot show any rows.
  const { continue_on: asked = Number.POSITIVE_INFINITY } = overlay;
  const continueOn = asked <= pageCount ? asked : undefined;
  const firstBox = { y: overlay.y, height: overlay.height };
  const furtherBox = {
    y: overlay.continue_y ?? overlay.y,
    height: overlay.continue_height ?? overlay.height,
  };
  return (cells, context) => {
    const rows = rowsOf(cells);
    const { max_rows: maxRows } = overlay;
    if (maxRows !== undefined && rows.length > maxRows)
      overflows(context, rows, rows.length - maxRows, `has at most ${maxRows} rows (max_rows)`);
    context.spend('table marks', rows.length * rowMarks);
    const notes = context.atRow(undefined);
    const header = overlay.header
      ? setter.row(
          columns,
          overlay.columns.map((column) => column.header),
          bold,
          notes,
        )
      : undefined;
    const set = rows.map(({ cells: own, number }) => {
      const rowNotes = number === undefined ? notes : context.atRow(number);
      const texts = columns.map(({ read }) => read(own, rowNotes));
      return setter.row(columns, texts, body, rowNotes);
    });
    const total = hasTotals
      ? setter.row(columns, totalTexts(overlay, columns, rows, context), bold, notes)
      : undefined;
    const above = header?.height ?? 0;
    const flow = flowRows(set, total, setter.emptyRow, {
      first: firstBox.height - above,
      further: furtherBox.height - above,
      maxPages: continueOn === undefined ? 1 : MAX_PAGES,
      minRows: overlay.min_rows,
    });
    const pages = placed(flow, rows, continueOn, context);
    const empty = pages.reduce((sum, page) => sum + page.rows.length, 0) - rows.length;
    context.spend('table marks', empty * ITEM_MARKS + pages.length * pageMarks);
    for (const [index, page] of pages.entries()) {
      const box = index === 0 ? firstBox : furtherBox;
      const items = paintPage(overlay, columns, box, header, page.rows);
      const target = index === 0 ? context.items : context.continuation(continueOn ?? 0, index);
      for (const item of items) {
        wantGlyphs(item, context);
        target.push(item);
      }
    }
    return null;
  };
}

/** Tells the fonts of the row which glyphs a text needs. */
function wantGlyphs(item: DisplayItem, { fonts }: RowContext): void {
  if (item.kind !== 'text') return;
  for (const { runs } of item.lines)
    for (const run of runs) if (run.kind === 'glyphs') fonts.want(run.face, run.glyphs);
}

function totalTexts(
  { total_label }: TableOverlay,
  columns: readonly ReadyColumn[],
  rows: TableRows,
  context: RowContext,
): string[] {
  const sums = columns.map(({ total }) => total?.begin());
  for (const { cells, number } of rows) {
    for (const [index, sum] of sums.entries()) {
      if (sum === undefined) continue;
      const column = columns[index];
      const shown = column?.read(cells, context.silent) ?? '';
      if (sum.add(cells, shown)) continue;
      const value = column?.column.value ?? { static: '' };
      const key = 'column' in value ? value.column : '';
      const where = number === undefined ? '' : `Row ${number}: `;
      context.fail(
        {
          code: 'ROW_VALUE_INVALID',
          message: `${where}${key} is not a number that can be read with certainty, so the table has no sum.`,
        },
        key,
      );
    }
  }
  const texts = sums.map((sum) => sum?.text() ?? '');
  if (sums[0] === undefined) texts[0] = total_label;
  return texts;
}

function placed(flow: Flow, rows: TableRows, continueOn: number | undefined, context: RowContext) {
  if (flow.ok) return flow.pages;
  const why =
    continueOn === undefined
      ? 'is full and has no page to continue on (continue_on)'
      : 'is not high enough, even on a page of its own';
  return overflows(context, rows, flow.rest, why);
}

/** Fails the document: a table that lacks rows must not look complete. */
function overflows(context: RowContext, rows: TableRows, rest: number, why: string): never {
  const first = rest === 0 ? undefined : rows.at(-rest)?.number;
  const from = first === undefined ? '' : `, from row ${first} on`;
  const what =
    rest === 0 ? 'The totals do not fit' : rest === 1 ? '1 row does not fit' : `${rest} rows do not fit`;
  const message = `${what} in the table ${context.overlayId}${from}: it ${why}.`;
  return context.fail({ code: 'ROW_TABLE_OVERFLOW', message });
}
