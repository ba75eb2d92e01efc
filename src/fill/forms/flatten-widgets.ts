import { PdfArray, type PdfDict, type PdfObject, type PdfRef, PdfStream } from '@libpdf/core';
import type { GraphWriter } from '../prepare/graph-writer.ts';
import { isArray, isDict, isRef, nameOf, type SourceDocument } from '../prepare/load-source.ts';
import { addResource, addXObject } from '../prepare/place-slot.ts';
import type { StructureTree, TaggedPage } from '../prepare/structure-tree.ts';
import { exactPdfNumber } from '../write/pdf-number.ts';
import type { PendingPicture } from './missing-pictures.ts';
import { type WidgetRect, widgetRect } from './widget-look.ts';
import { markAsForm, normalAppearance, pictureMatrix, rectHead } from './widget-picture.ts';

export interface FormPage extends TaggedPage {
  readonly index: number;
}

export interface WidgetRules {
  readonly isMapped: ReadonlySet<PdfDict>;
  isKept(widget: PdfDict): boolean;
  isButton(widget: PdfDict): boolean;
}

/** The position of a mapped field in the page's content, for the row's value. */
export interface FlatSlot {
  readonly ref: PdfRef;
  readonly page: number;
  readonly rect: WidgetRect;
  readonly shown: ShownPicture | null;
}

/** An appearance stream, and the matrix that maps it to the widget's rectangle on the page. */
interface ShownPicture {
  readonly ref: PdfRef;
  readonly matrix: string;
}

/**
 * Turns widgets into page content in the order of the page's annotations: an unmapped widget becomes its current picture,
 * a mapped one a slot. A slot contains the source's picture until a row replaces it, because a row may leave the field
 * unchanged (show-if, an unknown option).
 */
export class FlattenedWidgets {
  /** Page content below all overlays, by page index. */
  readonly content = new Map<number, string>();
  readonly slots = new Map<PdfDict, FlatSlot>();
  readonly #source: SourceDocument;
  readonly #rules: WidgetRules;
  readonly #structure: StructureTree | null;
  readonly #pending: ReadonlySet<PdfRef>;

  constructor(
    source: SourceDocument,
    rules: WidgetRules,
    structure: StructureTree | null,
    pending: readonly PendingPicture[],
  ) {
    this.#source = source;
    this.#rules = rules;
    this.#structure = structure;
    this.#pending = new Set(pending.map(({ ref }) => ref));
  }

  slotBodies(writer: GraphWriter): ReadonlyMap<number, Uint8Array> {
    return new Map(
      [...this.slots.values()].map((slot) => [writer.numberOf(slot.ref), slotBody(writer, slot)]),
    );
  }

  flatten(page: FormPage): void {
    const annotations = this.#source.resolve(page.dict.get('Annots'));
    if (!isArray(annotations)) return;
    const kept: PdfObject[] = [];
    let content = '';
    for (const annotation of annotations) {
      const dict = this.#source.resolve(annotation);
      if (!isDict(dict) || nameOf(this.#source.resolve(dict.get('Subtype'))) !== 'Widget') {
        kept.push(annotation);
        continue;
      }
      this.#structure?.dropWidget(dict);
      if (!this.#rules.isKept(dict) || this.slots.has(dict)) continue;
      const paint = this.#rules.isMapped.has(dict) ? this.#place(page, dict) : this.#stamp(page.dict, dict);
      content += this.#tagged(page, dict, this.#onLayer(page.dict, dict, paint));
    }
    if (kept.length === 0) page.dict.delete('Annots');
    else page.dict.set('Annots', new PdfArray(kept));
    if (content !== '') this.content.set(page.index, content);
  }

  /** Returns page content that shows a new slot for the rows' values. */
  #place(page: FormPage, widget: PdfDict): string {
    const ref = this.#source.register(new PdfStream([], new Uint8Array()));
    const rect = widgetRect(this.#source, widget);
    this.slots.set(widget, { ref, page: page.index + 1, rect, shown: this.#shown(widget, rect) });
    return `q /${addXObject(this.#source, page.dict, 'RpField', ref)} Do Q\n`;
  }

  #tagged(page: FormPage, widget: PdfDict, content: string): string {
    if (this.#structure === null) return content;
    return this.#structure.tagWidget(page, widget, this.#rules.isButton(widget), content);
  }

  /** Keeps a widget's content on its layer (§8.11.3.3), which may be switched off. */
  #onLayer(page: PdfDict, widget: PdfDict, content: string): string {
    const entry = widget.get('OC');
    const layer = this.#source.resolve(entry);
    if (content === '' || !isDict(layer)) return content;
    const ref = isRef(entry) ? entry : this.#source.register(layer);
    const name = addResource(this.#source, page, 'Properties', 'RpLayer', ref);
    return `/OC /${name} BDC\n${content}EMC\n`;
  }

  /** Returns page content that shows the widget's current picture. */
  #stamp(page: PdfDict, widget: PdfDict): string {
    const shown = this.#shown(widget, widgetRect(this.#source, widget));
    if (shown === null) return '';
    return `q ${shown.matrix} cm /${addXObject(this.#source, page, 'RpStamp', shown.ref)} Do Q\n`;
  }

  #shown(widget: PdfDict, rect: WidgetRect): ShownPicture | null {
    const ref = normalAppearance(this.#source, widget);
    if (ref === null) return null;
    const matrix = this.#pending.has(ref)
      ? `1 0 0 1 ${exactPdfNumber(rect.left)} ${exactPdfNumber(rect.bottom)}`
      : pictureMatrix(this.#source, ref, rect);
    markAsForm(this.#source, ref);
    return { ref, matrix };
  }
}

function slotBody(writer: GraphWriter, { rect, shown }: FlatSlot): Uint8Array {
  const content = shown === null ? '' : `q ${shown.matrix} cm /A Do Q`;
  const resources = shown === null ? '<<>>' : `<</XObject<</A ${writer.numberOf(shown.ref)} 0 R>>>>`;
  const head = `${rectHead(rect)}${resources}/Length ${content.length}>>`;
  return new TextEncoder().encode(`${head}\nstream\n${content}\nendstream`);
}
