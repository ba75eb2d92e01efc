import { PdfArray, PdfDict, PdfName, type PdfObject, type PdfRef, PdfStream } from '@libpdf/core';
import type { GraphWriter } from '../prepare/graph-writer.ts';
import {
  isArray,
  isDict,
  isRef,
  isStream,
  nameOf,
  numberOf,
  numbersOf,
  type SourceDocument,
} from '../prepare/load-source.ts';
import { addResource, addXObject } from '../prepare/place-slot.ts';
import { exactPdfNumber } from '../write/pdf-number.ts';
import { appearanceMatrix } from './appearance-matrix.ts';
import type {
  FillableType,
  FormState,
  MappedField,
  MappedWidget,
  StatePicture,
  WidgetLook,
} from './form-state.ts';
import {
  acroForm,
  combCells,
  FIELD_FLAGS,
  type SourceField,
  type SourceWidget,
  textOf,
} from './read-fields.ts';
import { type WidgetRect, widgetLook, widgetRect } from './widget-look.ts';

/**
 * Decides at prepare what becomes of each native field. Without flattening a mapped field keeps its dictionaries, whose
 * texts are kept ready for rewriting. With flattening every widget becomes page content in the order of the page's
 * annotations: an unmapped one as the picture it shows, a mapped one as a slot for the row's value; the form is gone.
 * A slot holds the source's picture until then, because a row may leave the field alone (show-if, an unknown option).
 * Values the source holds without a picture (readers were told to make one) get theirs here.
 */
export interface FormPlan {
  /** Page content that stands below every overlay, by page index. */
  readonly content: ReadonlyMap<number, string>;
  /** Pictures still to be drawn into the base, once fonts are embedded. */
  readonly pending: readonly PendingPicture[];
  /** Numbers exist only when everything is registered. */
  state(writer: GraphWriter): FormState;
  /** What stands in the slots of flattened fields until a row writes into them, by object number. */
  slotBodies(writer: GraphWriter): ReadonlyMap<number, Uint8Array>;
}

export interface PendingPicture {
  readonly ref: PdfRef;
  readonly kind: 'text' | 'mark';
  readonly look: WidgetLook;
  readonly multiline: boolean;
  readonly cells: number;
  readonly text: string;
}

export interface FormPage {
  readonly index: number;
  readonly dict: PdfDict;
}

const FILLABLE = new Set<string>(['text', 'checkbox', 'radio', 'dropdown'] satisfies FillableType[]);

export function planForms(
  source: SourceDocument,
  pages: readonly FormPage[],
  fields: readonly SourceField[],
  mappedNames: ReadonlySet<string>,
  flatten: boolean,
): FormPlan {
  const planner = new FormPlanner(source);
  const form = acroForm(source);
  const readersDraw = isTrue(source.resolve(form?.get('NeedAppearances')));
  form?.delete('NeedAppearances');
  const mapped = fields.filter((field) => mappedNames.has(field.name) && FILLABLE.has(field.type));
  const isMapped = new Set(mapped.flatMap((field) => field.widgets.map(({ dict }) => dict)));
  for (const field of fields) {
    for (const widget of field.widgets) planner.drawMissingPicture(field, widget, readersDraw);
  }
  const slots = new Map<PdfDict, FlatSlot>();
  if (flatten) {
    for (const page of pages) planner.flattenPage(page, isMapped, slots);
  }
  return {
    content: planner.content,
    pending: planner.pending,
    state: (writer) => ({
      flattened: flatten,
      fields: mapped.map((field) => mappedField(source, writer, field, slots, flatten)),
    }),
    slotBodies: (writer) =>
      new Map([...slots.values()].map((slot) => [writer.numberOf(slot.ref), slotBody(writer, slot)])),
  };
}

interface FlatSlot {
  readonly ref: PdfRef;
  readonly page: number;
  readonly rect: WidgetRect;
  readonly shown: ShownPicture | null;
}

/** An appearance stream, and the matrix that brings it into the widget's rectangle on the page. */
interface ShownPicture {
  readonly ref: PdfRef;
  readonly matrix: string;
}

function slotBody(writer: GraphWriter, { rect, shown }: FlatSlot): Uint8Array {
  const content = shown === null ? '' : `q ${shown.matrix} cm /A Do Q`;
  const resources = shown === null ? '<<>>' : `<</XObject<</A ${writer.numberOf(shown.ref)} 0 R>>>>`;
  const head = `${rectHead(rect)}${resources}/Length ${content.length}>>`;
  return new TextEncoder().encode(`${head}\nstream\n${content}\nendstream`);
}

class FormPlanner {
  readonly content = new Map<number, string>();
  readonly pending: PendingPicture[] = [];
  readonly #source: SourceDocument;

  constructor(source: SourceDocument) {
    this.#source = source;
  }

  /**
   * A value without a picture gets one. Where the file told readers to draw its fields (/NeedAppearances, which goes),
   * every field that lacks a picture gets one, also an empty one.
   */
  drawMissingPicture(field: SourceField, widget: SourceWidget, readersDraw: boolean): void {
    if (!isVisible(this.#source, widget.dict)) return;
    const isButton = field.type === 'checkbox' || field.type === 'radio';
    if (isButton && readersDraw) this.#drawMissingStates(field, widget);
    if (field.type !== 'text' && field.type !== 'dropdown') return;
    const holder = this.#source.resolve(field.holders[0]);
    const value = textOf(this.#source.resolve(isDict(holder) ? holder.get('V') : null)) ?? '';
    const picture = normalAppearance(this.#source, widget.dict);
    if (value === '' ? picture !== null || !readersDraw : picture !== null && !readersDraw) return;
    const shown = field.options.find((option) => option.value === value)?.label ?? value;
    const ref = this.#pend(field, widget, {
      kind: 'text',
      multiline: (field.flags & FIELD_FLAGS.multiline) !== 0,
      cells: combCells(field),
      text: shown,
    });
    widget.dict.set('AP', PdfDict.of({ N: ref }));
  }

  #drawMissingStates(field: SourceField, widget: SourceWidget): void {
    if (widget.hasOnAppearance || widget.onState === null) return;
    const mark = (text: string) =>
      this.#pend(field, widget, { kind: 'mark', multiline: false, cells: 0, text });
    const states = new PdfDict([
      [widget.onState, mark('x')],
      ['Off', mark('')],
    ]);
    widget.dict.set('AP', PdfDict.of({ N: states }));
    if (widget.dict.has('AS')) return;
    // Pictures of states need the name of the one that is shown (§12.5.5); the field's value says which.
    const holder = this.#source.resolve(field.holders[0]);
    const value = nameOf(this.#source.resolve(isDict(holder) ? holder.get('V') : null));
    widget.dict.set('AS', PdfName.of(value === widget.onState ? widget.onState : 'Off'));
  }

  #pend(field: SourceField, widget: SourceWidget, picture: Omit<PendingPicture, 'ref' | 'look'>): PdfRef {
    const ref = this.#source.register(new PdfStream([], new Uint8Array()));
    this.pending.push({ ref, look: widgetLook(this.#source, field, widget), ...picture });
    return ref;
  }

  flattenPage(page: FormPage, isMapped: ReadonlySet<PdfDict>, slots: Map<PdfDict, FlatSlot>): void {
    const annotations = this.#source.resolve(page.dict.get('Annots'));
    if (!isArray(annotations)) return;
    const kept: PdfObject[] = [];
    let content = '';
    for (const annotation of annotations) {
      const dict = this.#source.resolve(annotation);
      if (!isDict(dict) || nameOf(this.#source.resolve(dict.get('Subtype'))) !== 'Widget') {
        kept.push(annotation);
      } else if (isMapped.has(dict)) {
        // Hidden stays hidden: without a slot the row's value is stored nowhere and shown nowhere.
        if (slots.has(dict) || !isVisible(this.#source, dict)) continue;
        const ref = this.#source.register(new PdfStream([], new Uint8Array()));
        const rect = widgetRect(this.#source, dict);
        slots.set(dict, { ref, page: page.index + 1, rect, shown: this.#shown(dict, rect) });
        const paint = `q /${addXObject(this.#source, page.dict, 'RpField', ref)} Do Q\n`;
        content += this.#onLayer(page.dict, dict, paint);
      } else if (isVisible(this.#source, dict)) {
        content += this.#onLayer(page.dict, dict, this.#stamp(page.dict, dict));
      }
    }
    if (kept.length === 0) page.dict.delete('Annots');
    else page.dict.set('Annots', PdfArray.of(...kept));
    if (content !== '') this.content.set(page.index, content);
  }

  /** A widget on a layer (§8.11.3.3) is page content on that layer, which may be switched off. */
  #onLayer(page: PdfDict, widget: PdfDict, content: string): string {
    const entry = widget.get('OC');
    const layer = this.#source.resolve(entry);
    if (content === '' || !isDict(layer)) return content;
    const ref = isRef(entry) ? entry : this.#source.register(layer);
    const name = addResource(this.#source, page, 'Properties', 'RpLayer', ref);
    return `/OC /${name} BDC\n${content}EMC\n`;
  }

  /** The widget's current picture as page content. */
  #stamp(page: PdfDict, widget: PdfDict): string {
    const shown = this.#shown(widget, widgetRect(this.#source, widget));
    if (shown === null) return '';
    return `q ${shown.matrix} cm /${addXObject(this.#source, page, 'RpStamp', shown.ref)} Do Q\n`;
  }

  #shown(widget: PdfDict, rect: WidgetRect): ShownPicture | null {
    const ref = normalAppearance(this.#source, widget);
    if (ref === null) return null;
    const pending = this.pending.find((picture) => picture.ref === ref);
    const matrix =
      pending === undefined
        ? pictureMatrix(this.#source, ref, rect)
        : `1 0 0 1 ${exactPdfNumber(rect.left)} ${exactPdfNumber(rect.bottom)}`;
    markAsForm(this.#source, ref);
    return { ref, matrix };
  }
}

function mappedField(
  source: SourceDocument,
  writer: GraphWriter,
  field: SourceField,
  slots: ReadonlyMap<PdfDict, FlatSlot>,
  flatten: boolean,
): MappedField {
  const holders = field.holders.map((ref) => ({ ref, dict: source.resolve(ref) }));
  return {
    name: field.name,
    type: field.type as FillableType,
    maxLength: field.maxLength,
    multiline: (field.flags & FIELD_FLAGS.multiline) !== 0,
    combCells: combCells(field),
    password: (field.flags & FIELD_FLAGS.password) !== 0,
    editable: (field.flags & FIELD_FLAGS.edit) !== 0,
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

const HOLDER_KEYS = new Set(['V', 'I', 'RV']);
const WIDGET_KEYS = new Set(['V', 'I', 'RV', 'AP', 'AS']);
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

function rectHead({ left, bottom, right, top }: WidgetRect): string {
  const box = [left, bottom, right, top].map(exactPdfNumber).join(' ');
  return `<</Type/XObject/Subtype/Form/BBox[${box}]/Resources`;
}

/** The stream a widget shows now: /N itself, or the one of its states that /AS names. */
function normalAppearance(source: SourceDocument, widget: PdfDict): PdfRef | null {
  const appearances = source.resolve(widget.get('AP'));
  const normal = isDict(appearances) ? appearances.get('N') : undefined;
  const resolved = source.resolve(normal);
  if (isStream(resolved)) return isRef(normal) ? normal : null;
  if (!isDict(resolved)) return null;
  const state = resolved.get(nameOf(source.resolve(widget.get('AS'))) ?? 'Off');
  return isRef(state) && isStream(source.resolve(state)) ? state : null;
}

function pictureMatrix(source: SourceDocument, ref: PdfRef, rect: WidgetRect): string {
  const stream = source.resolve(ref);
  const read = (key: string) => (isDict(stream) ? numbersOf(source, source.resolve(stream.get(key))) : null);
  return appearanceMatrix(read('BBox'), read('Matrix'), rect);
}

/** Appearance streams need not say what they are; XObjects must (ISO 32000-2 §8.10.2). */
function markAsForm(source: SourceDocument, ref: PdfRef): void {
  const stream = source.resolve(ref);
  if (!isDict(stream)) return;
  stream.set('Type', PdfName.of('XObject'));
  stream.set('Subtype', PdfName.of('Form'));
}

const HIDDEN = 1 << 1;
const NO_VIEW = 1 << 5;

function isVisible(source: SourceDocument, annotation: PdfDict): boolean {
  const flags = numberOf(source.resolve(annotation.get('F'))) ?? 0;
  return (flags & (HIDDEN | NO_VIEW)) === 0;
}

const isTrue = (object: PdfObject | null) =>
  object !== null && object.type === 'bool' && (object as { value: boolean }).value;
