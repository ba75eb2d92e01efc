import { PdfDict, PdfName, type PdfRef, PdfStream } from '@libpdf/core';
import { isArray, isDict, nameOf, type SourceDocument } from '../prepare/load-source.ts';
import { type FieldBarcode, fieldBarcode } from './barcode-field.ts';
import type { WidgetLook } from './form-state.ts';
import { chosenGround, listLines, shownLabels } from './list-box.ts';
import { combCells, FIELD_FLAGS, type SourceField, type SourceWidget, textOf } from './read-fields.ts';
import { applyFormat } from './scripts/field-format.ts';
import { readScripts } from './scripts/read-scripts.ts';
import { widgetLook } from './widget-look.ts';
import { normalAppearance } from './widget-picture.ts';
import { isEverSeen, widgetFlags } from './widget-visibility.ts';

/** A missing picture of a widget, to be drawn after the fonts are embedded. */
export interface PendingPicture {
  readonly ref: PdfRef;
  readonly kind: 'text' | 'mark' | 'list';
  readonly look: WidgetLook;
  readonly multiline: boolean;
  readonly cells: number;
  readonly barcode?: FieldBarcode | null;
  readonly text: string;
  /** For a list box: the options that it shows, and the background of the chosen ones. */
  readonly lines?: readonly string[];
  readonly under?: string;
}

/** Collects values of the source that have no picture, because the file leaves drawing to the reader. */
export class MissingPictures {
  readonly pending: PendingPicture[] = [];
  readonly #source: SourceDocument;

  constructor(source: SourceDocument) {
    this.#source = source;
  }

  /**
   * Adds a picture for a value that has none. If the file requires readers to draw its fields (/NeedAppearances, which is
   * removed), every field without a picture gets one, even an empty field.
   */
  add(field: SourceField, widget: SourceWidget, readersDraw: boolean): void {
    if (!isEverSeen(widgetFlags(this.#source, widget.dict))) return;
    const isButton = field.type === 'checkbox' || field.type === 'radio';
    if (isButton && readersDraw) this.#drawMissingStates(field, widget);
    if (field.type === 'listbox') this.#drawMissingList(field, widget, readersDraw);
    if (field.type !== 'text' && field.type !== 'dropdown') return;
    const holder = this.#source.resolve(field.holders[0]);
    const value = textOf(this.#source.resolve(isDict(holder) ? holder.get('V') : null)) ?? '';
    const picture = normalAppearance(this.#source, widget.dict);
    if (value === '' ? picture !== null || !readersDraw : picture !== null && !readersDraw) return;
    const { format } = readScripts(this.#source, field);
    const formatted = format === null || format.kind === 'unknown' ? null : applyFormat(format, value);
    const barcode = fieldBarcode(this.#source, field);
    // A barcode is not text: an existing picture is kept.
    if (barcode !== null && (picture !== null || barcode.kind === 'unsupported')) return;
    const shown = formatted?.text ?? field.options.find((option) => option.value === value)?.label ?? value;
    const ref = this.#pend(field, widget, {
      kind: 'text',
      multiline: (field.flags & FIELD_FLAGS.multiline) !== 0,
      cells: combCells(field),
      barcode,
      text: shown,
    });
    widget.dict.set('AP', PdfDict.of({ N: ref }));
  }

  #drawMissingList(field: SourceField, widget: SourceWidget, readersDraw: boolean): void {
    const holder = this.#source.resolve(field.holders[0]);
    const value = this.#source.resolve(isDict(holder) ? holder.get('V') : null);
    const texts = isArray(value)
      ? [...value].map((item) => textOf(this.#source.resolve(item)))
      : [textOf(value)];
    const values = new Set(texts.filter((text) => text !== null));
    const picture = normalAppearance(this.#source, widget.dict);
    if (picture !== null && (values.size === 0 || !readersDraw)) return;
    if (values.size === 0 && !readersDraw) return;
    const look = widgetLook(this.#source, field, widget);
    const top = Math.min(field.topIndex, Math.max(0, field.options.length - 1));
    const lines = shownLabels(field.options, look, top);
    const chosen = lines.flatMap((_, line) =>
      values.has(field.options[top + line]?.value ?? '') ? [line] : [],
    );
    const ref = this.#pend(field, widget, {
      kind: 'list',
      multiline: false,
      cells: listLines(look).count,
      text: '',
      lines,
      under: chosenGround(look, chosen),
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
    // A widget with pictures of states must name the current state (§12.5.5), which is the field's value.
    const holder = this.#source.resolve(field.holders[0]);
    const value = nameOf(this.#source.resolve(isDict(holder) ? holder.get('V') : null));
    widget.dict.set('AS', PdfName.of(value === widget.onState ? widget.onState : 'Off'));
  }

  #pend(field: SourceField, widget: SourceWidget, picture: Omit<PendingPicture, 'ref' | 'look'>): PdfRef {
    const ref = this.#source.register(new PdfStream([], new Uint8Array()));
    this.pending.push({ ref, look: widgetLook(this.#source, field, widget), ...picture });
    return ref;
  }
}
