/** A sheet of labels in points. The rows' pages are placed in its cells, from the top left. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  /** From the left and top edge of the sheet to the first label. */
  readonly margin_left: number;
  readonly margin_top: number;
  /** From one label to the same edge of the next. */
  readonly pitch_x: number;
  readonly pitch_y: number;
  readonly label_width: number;
  readonly label_height: number;
  /** Cells left free on the first sheet. */
  readonly skip: number;
  readonly order: SheetOrder;
  /** Whether crop marks are drawn in the margins. */
  readonly marks: boolean;
}

export const SHEET_ORDERS = ['across', 'down'] as const;
export type SheetOrder = (typeof SHEET_ORDERS)[number];

/** The geometry alone, as a preset fixes it. */
export type SheetGeometry = Omit<Sheet, 'skip' | 'order' | 'marks'>;

/** The members in the order of the manifest. Stored JSON may have another order. */
export function sheetMembers(sheet: Sheet): Readonly<Record<keyof Sheet, string | number | boolean>> {
  const { width, height, columns, rows, margin_left, margin_top, pitch_x, pitch_y } = sheet;
  const { label_width, label_height, skip, order, marks } = sheet;
  return {
    ...{ width, height, columns, rows, margin_left, margin_top, pitch_x, pitch_y },
    ...{ label_width, label_height, skip, order, marks },
  };
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Position of the n-th row of the output, from 0: its sheet from 0, and the lower left corner of its label. */
export function placeOf(sheet: Sheet, index: number): Point & { readonly page: number } {
  const at = index + sheet.skip;
  const cells = sheet.columns * sheet.rows;
  const cell = at % cells;
  const isAcross = sheet.order === 'across';
  const column = isAcross ? cell % sheet.columns : Math.floor(cell / sheet.rows);
  const row = isAcross ? Math.floor(cell / sheet.columns) : cell % sheet.rows;
  return {
    page: Math.floor(at / cells),
    x: sheet.margin_left + column * sheet.pitch_x,
    y: sheet.height - sheet.margin_top - row * sheet.pitch_y - sheet.label_height,
  };
}

/** How a page of this size is placed on a label: at its own size in the lower left corner, or smaller and centred. */
export function fitOf(
  { label_width, label_height }: Sheet,
  page: { readonly width: number; readonly height: number },
): Point & { readonly scale: number } {
  if (page.width <= label_width + TOLERANCE && page.height <= label_height + TOLERANCE)
    return { scale: 1, x: 0, y: 0 };
  const scale = Math.min(label_width / page.width, label_height / page.height);
  return { scale, x: (label_width - page.width * scale) / 2, y: (label_height - page.height * scale) / 2 };
}

/** Points by which sizes may differ, so that rounded millimetres still fit. */
export const TOLERANCE = 0.01;
