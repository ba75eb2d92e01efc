import type { PdfDict, PdfObject } from '@libpdf/core';
import type { FillableType } from '../package/form-field-types.ts';
import type { GraphWriter } from '../prepare/graph-writer.ts';
import { isArray, isDict, isRef, isStream, type SourceDocument } from '../prepare/load-source.ts';
import type { FlatSlot } from './flatten-widgets.ts';
import type { MappedField, MappedWidget, StatePicture } from './form-state.ts';
import { isHiddenField } from './hidden-field.ts';
import { combCells, FIELD_FLAGS, type SourceField, type SourceWidget } from './read-fields.ts';
import { type WidgetRect, widgetLook, widgetRect } from './widget-look.ts';
import { markAsForm, pictureMatrix, rectHead } from './widget-picture.ts';

/** Builds the state of a mapped field for rows: the texts of its dictionaries, ready for rewriting, or its slots. */
export function mappedField(
  source: SourceDocument,
  writer: GraphWriter,
  field: SourceField,
  slots: ReadonlyMap<PdfDict, FlatSlot>,
  flatten: boolean,
): Omit<MappedField, 'format' | 'barcode'> {
  const holders = field.holders.map((ref) => ({ ref, dict: source.resolve(ref) }));
  for (const { dict } of holders) keepOptionsInBase(source, dict);
  return {
    name: field.name,
    type: field.type as FillableType,
    maxLength: field.maxLength,
    multiline: (field.flags & FIELD_FLAGS.multiline) !== 0,
    combCells: combCells(field),
    password: (field.flags & FIELD_FLAGS.password) !== 0,
    editable: (field.flags & FIELD_FLAGS.edit) !== 0,
    hidden: isHiddenField(source, field, slots, flatten),
    multiSelect: (field.flags & FIELD_FLAGS.multiSelect) !== 0,
    topIndex: field.topIndex,
    options: field.options,
    holders: flatten
      ? []
      : holders.map(({ ref, dict }) => ({
          num: writer.numberOf(ref),
          dict: isDict(dict) ? writer.dictText(dict, HOLDER_KEYS) : '<<',
        })),
    widgets: field.widgets.map((widget) =>
      mappedWidget(source, writer, field, widget, holders, slots, flatten),
    ),
  };
}

/** Every row rewrites the field's dictionary, which must not include thousands of options. */
function keepOptionsInBase(source: SourceDocument, dict: PdfObject | null): void {
  const options = isDict(dict) ? dict.get('Opt') : undefined;
  if (isDict(dict) && options !== undefined && isArray(options)) dict.set('Opt', source.register(options));
}

const HOLDER_KEYS = new Set(['V', 'I', 'RV', 'TI']);
const WIDGET_KEYS = new Set(['V', 'I', 'RV', 'TI', 'AP', 'AS']);
const BUTTON_KEYS = new Set(['V', 'AS']);

function mappedWidget(
  source: SourceDocument,
  writer: GraphWriter,
  field: SourceField,
  widget: SourceWidget,
  holders: readonly { readonly dict: PdfObject | null }[],
  slots: ReadonlyMap<PdfDict, FlatSlot>,
  flatten: boolean,
): MappedWidget {
  const holder = holders.findIndex(({ dict }) => dict === widget.dict);
  const rect = widgetRect(source, widget.dict);
  const slot = slots.get(widget.dict);
  const look = widgetLook(source, field, widget);
  const isButton = field.type === 'checkbox' || field.type === 'radio';
  const omitted = isButton && widget.hasOnAppearance ? BUTTON_KEYS : WIDGET_KEYS;
  return {
    holder: holder < 0 ? null : holder,
    num: flatten ? 0 : writer.numberOf(widget.ref),
    dict: flatten ? '' : writer.dictText(widget.dict, omitted),
    look,
    hasPictures: widget.hasOnAppearance,
    onState: widget.onState,
    option: widget.option,
    states: {
      on: statePicture(source, writer, widget, widget.onState ?? '', rect),
      off: statePicture(source, writer, widget, 'Off', rect),
    },
    slot:
      slot === undefined
        ? null
        : {
            num: writer.numberOf(slot.ref),
            page: slot.page,
            head: isButton && widget.hasOnAppearance ? rectHead(rect) : look.placedHead,
          },
  };
}

function statePicture(
  source: SourceDocument,
  writer: GraphWriter,
  widget: SourceWidget,
  state: string,
  rect: WidgetRect,
): StatePicture | null {
  if (widget.onState === null || !widget.hasOnAppearance) return null;
  const appearances = source.resolve(widget.dict.get('AP'));
  const states = isDict(appearances) ? source.resolve(appearances.get('N')) : null;
  const ref = isDict(states) ? states.get(state) : undefined;
  if (!isRef(ref) || !isStream(source.resolve(ref))) return null;
  markAsForm(source, ref);
  return { num: writer.numberOf(ref), matrix: pictureMatrix(source, ref, rect) };
}
