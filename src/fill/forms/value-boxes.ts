import type { FieldCode } from '../kinds/barcode/draw.ts';
import type { BarcodeOverlay } from '../kinds/barcode/schema.ts';
import type { CheckOverlay } from '../kinds/check/schema.ts';
import type { QrOverlay } from '../kinds/qr/schema.ts';
import type { FieldText } from '../kinds/text/draw.ts';
import type { TextOverlay } from '../kinds/text/schema.ts';
import type { FormFieldMapping, Layout, Overlay } from '../package/layout-schema.ts';
import type { DisplayedPage } from '../prepare/page-geometry.ts';
import type { FieldBarcode } from './barcode-field.ts';
import type { FormState, MappedField, MappedWidget, WidgetLook } from './form-state.ts';
import { listLines } from './list-box.ts';

/**
 * A box for a field's value. The overlay code draws it: every widget is treated as a page with one overlay (one per cell for
 * a comb), whose value is a cell that the filler writes. Native fields therefore have the same fonts, fallbacks, shaping
 * and warnings as overlays.
 */
export interface ValueBox {
  readonly kind: 'text' | 'mark' | 'list';
  readonly multiline: boolean;
  /** Number of equal cells of a comb, or of lines of a list box; 0 for running text. */
  readonly cells: number;
  readonly look: WidgetLook;
  /** The text is drawn as a barcode. */
  readonly barcode?: FieldBarcode | null;
  /** The text may have to be red. */
  readonly mayBeRed?: boolean;
  /** Set if the layout specifies another font than the field's own. */
  readonly type?: Pick<FormFieldMapping, 'font' | 'bold' | 'italic'> | undefined;
}

export interface ValueBoxes {
  readonly layout: Layout;
  readonly pages: readonly DisplayedPage[];
}

/** Key of the cell with a box's text. A red text has a separate key. */
export const boxKey = (box: number, cell = 0, red = false) => `box_${box}_${cell}${red ? '_red' : ''}`;
export const boxOf = (key: string) => Number(key.split('_')[1]);
export const cellOf = (key: string) => Number(key.split('_')[2]);

function textBox(field: MappedField, look: WidgetLook, type: ValueBox['type']): ValueBox {
  const mayBeRed = field.format?.kind === 'number' && field.format.red;
  const { multiline, combCells: cells, barcode } = field;
  return { kind: 'text', multiline, cells, look, type, barcode, mayBeRed };
}

export function listBox(look: WidgetLook): ValueBox {
  return { kind: 'list', multiline: false, cells: listLines(look).count, look };
}

function markBox(look: WidgetLook): ValueBox {
  return { kind: 'mark', multiline: false, cells: 0, look };
}

export interface FormBox {
  readonly box: ValueBox;
  readonly field: MappedField;
  readonly widget: MappedWidget;
}

/** Returns all boxes of a form in which the engine may draw text or marks. */
export function formBoxes(state: FormState, mappings: readonly FormFieldMapping[]): FormBox[] {
  const types = new Map(mappings.map((mapping) => [mapping.field, mapping]));
  return state.fields.flatMap((field) =>
    field.widgets.flatMap((widget): FormBox[] => {
      if (field.type === 'text' || field.type === 'dropdown') {
        return [{ box: textBox(field, widget.look, types.get(field.name)), field, widget }];
      }
      if (field.type === 'listbox') return [{ box: listBox(widget.look), field, widget }];
      return widget.hasPictures ? [] : [{ box: markBox(widget.look), field, widget }];
    }),
  );
}

export function valueBoxes(boxes: readonly ValueBox[], fonts: Layout['fonts']): ValueBoxes {
  return {
    layout: {
      format: 'rowpress.layout',
      version: 1,
      columns: [],
      fonts,
      form_fields: [],
      overlays: boxes.flatMap((box, index) => withRed(box, overlaysOf(box, index))),
    },
    pages: boxes.map(({ look: { width, height } }) => ({ width, height })),
  };
}

function withRed({ mayBeRed }: ValueBox, overlays: Overlay[]): Overlay[] {
  if (mayBeRed !== true) return overlays;
  const red = overlays.flatMap((overlay): Overlay[] =>
    overlay.type === 'text'
      ? [{ ...overlay, id: `${overlay.id}_red`, value: { column: `${overlay.id}_red` }, color: '#ff0000' }]
      : [],
  );
  return [...overlays, ...red];
}

function overlaysOf(box: ValueBox, index: number): Overlay[] {
  const { look } = box;
  if (box.kind === 'mark') return [mark(box, index)];
  if (box.kind === 'list') {
    const { size, height, inset } = listLines(look);
    return Array.from({ length: box.cells }, (_, line) => ({
      ...text(box, index, line),
      x: look.padding,
      y: inset + line * height,
      width: Math.max(0.1, look.width - 2 * look.padding),
      height,
      size,
      min_size: Math.min(4, size),
      valign: 'middle',
      fit: 'clip' as const,
    }));
  }
  if (box.barcode != null) return code(box.barcode, look, index);
  if (box.cells > 0) {
    const width = Math.max(0.1, look.width / box.cells);
    return Array.from({ length: box.cells }, (_, cell) => ({
      ...text(box, index, cell),
      x: cell * width,
      y: 0,
      width,
      height: Math.max(0.1, look.height),
      align: 'center',
      valign: 'middle',
    }));
  }
  const inset = look.padding;
  const width = Math.max(0.1, look.width - 2 * inset);
  const common = { ...text(box, index, 0), x: inset, width };
  // A line that is higher than its field is centred and clipped by the widget's box, as readers do: most of each letter
  // remains visible.
  const line = common.size * LINE_HEIGHT;
  if (!box.multiline || look.height - 2 * inset < line) {
    const height = Math.max(look.height, common.fit === 'clip' ? line : 0.1);
    return [{ ...common, y: (look.height - height) / 2, height, valign: 'middle', wrap: box.multiline }];
  }
  return [{ ...common, y: inset, height: look.height - 2 * inset, wrap: true }];
}

const LINE_HEIGHT = 1.2;
/** The initial size that readers use for multi-line text of automatic size. */
const MULTILINE_AUTO_SIZE = 12;

function text({ look, multiline, type }: ValueBox, index: number, cell: number): TextOverlay & FieldText {
  const fitting = Math.max(1, Math.min(144, (look.height - look.padding) / LINE_HEIGHT));
  const size = look.size > 0 ? look.size : multiline ? Math.min(MULTILINE_AUTO_SIZE, fitting) : fitting;
  const asks = type?.font ?? type?.bold ?? type?.italic;
  return {
    ...(asks === undefined && look.sourceFace != null ? { sourceFace: look.sourceFace } : {}),
    id: boxKey(index, cell),
    type: 'text',
    page: index + 1,
    x: 0,
    y: 0,
    width: look.width,
    height: look.height,
    rotation: 0,
    opacity: 1,
    value: { column: boxKey(index, cell) },
    font: type?.font ?? look.font,
    bold: type?.bold ?? look.bold,
    italic: type?.italic ?? look.italic,
    size,
    min_size: Math.min(4, size),
    color: look.color,
    padding: 0,
    align: look.align,
    valign: 'top',
    line_height: LINE_HEIGHT,
    wrap: false,
    fit: look.size > 0 ? 'clip' : 'shrink',
  };
}

/** Returns the largest symbol that fits the widget, with modules no larger than the field specifies. */
function code(barcode: FieldBarcode, look: WidgetLook, index: number): Overlay[] {
  if (barcode.kind === 'unsupported') return [];
  const column = boxKey(index);
  const placed: Omit<QrOverlay, 'type' | 'ecc'> & FieldCode = {
    id: column,
    page: index + 1,
    x: 0,
    y: 0,
    width: Math.max(0.1, look.width),
    height: Math.max(0.1, look.height),
    rotation: 0,
    opacity: 1,
    value: { column },
    show_if: { column, blank: false },
    color: look.color,
    ...(barcode.module === null ? {} : { module: barcode.module }),
  };
  if (barcode.kind === 'qr') return [{ ...placed, type: 'qr', ecc: barcode.ecc }];
  const { symbology, encodings } = barcode;
  const overlay: BarcodeOverlay & FieldCode = { ...placed, type: 'barcode', symbology, encodings };
  return [overlay];
}

function mark({ look }: ValueBox, index: number): CheckOverlay {
  const side = Math.max(0.1, Math.min(look.width, look.height) - 2 * look.padding);
  return {
    id: boxKey(index),
    type: 'check',
    page: index + 1,
    x: (look.width - side) / 2,
    y: (look.height - side) / 2,
    width: side,
    height: side,
    rotation: 0,
    opacity: 1,
    value: { column: boxKey(index) },
    mark: look.mark,
    color: look.color,
  };
}
