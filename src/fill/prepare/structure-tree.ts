import { PdfArray, PdfDict, PdfName, PdfNull, PdfNumber, type PdfObject, type PdfRef } from '@libpdf/core';
import { isArray, isDict, isRef, nameOf, numberOf, type SourceDocument } from './load-source.ts';
import { ParentTree } from './parent-tree.ts';
import type { SlotTags } from './prepared-base.ts';

/** A page of the base. */
export interface TaggedPage {
  readonly dict: PdfDict;
  readonly ref: PdfRef;
}

export interface TaggedSlot {
  readonly structParents: number;
  readonly tags: SlotTags;
}

/** The place of a flattened widget in its page's marked content. */
interface FlatContent {
  readonly page: TaggedPage;
  readonly key: number;
  readonly mcid: number;
  readonly isButton: boolean;
}

/**
 * The logical structure of a tagged source (ISO 32000-2 §14.7), edited while its base is prepared so that all content we
 * add belongs to an element. Rows then write only the content: its identifiers are assigned here.
 */
export class StructureTree {
  readonly #source: SourceDocument;
  readonly #root: PdfDict;
  readonly #rootRef: PdfRef;
  readonly #parents: ParentTree;
  readonly #widgets = new Map<PdfDict, FlatContent>();
  readonly #overlays: PdfRef[] = [];
  readonly #visited = new Set<PdfDict>();
  readonly #removed = new Set<PdfDict>();
  #dropsWidgets = false;

  /** Null for a document that is not tagged. It stays untagged. */
  static of(source: SourceDocument): StructureTree | null {
    const { catalog } = source;
    const root = source.resolve(catalog.get('StructTreeRoot'));
    if (isDict(root)) return new StructureTree(source, root);
    const info = source.resolve(catalog.get('MarkInfo'));
    const marked = isDict(info) ? source.resolve(info.get('Marked')) : null;
    if (marked?.type !== 'bool' || !(marked as { value?: boolean }).value) return null;
    // The document is marked as tagged but has no tree, so one is created.
    return new StructureTree(source, PdfDict.of({ Type: PdfName.of('StructTreeRoot') }));
  }

  private constructor(source: SourceDocument, root: PdfDict) {
    this.#source = source;
    this.#root = root;
    const entry = source.catalog.get('StructTreeRoot');
    this.#rootRef = isRef(entry) ? entry : source.register(root);
    const nextKey = numberOf(source.resolve(root.get('ParentTreeNextKey'))) ?? 0;
    this.#parents = new ParentTree(source, root.get('ParentTree'), nextKey);
  }

  /** Marks what a flattened widget shows as content of the widget's element. */
  tagWidget(page: TaggedPage, widget: PdfDict, isButton: boolean, content: string): string {
    if (content === '' || this.#widgets.has(widget)) return content;
    const key = this.#keyOf(page);
    const elements = this.#parents.contentOf(key);
    const mcid = elements.length;
    elements.push(this.#rootRef); // until the element is found
    this.#widgets.set(widget, { page, key, mcid, isButton });
    return `/${isButton ? 'Span' : 'Form'}<</MCID ${mcid}>>BDC\n${content}EMC\n`;
  }

  /** Flattening removes the form: no element may refer to this or any other widget. */
  dropWidget(widget: PdfDict): void {
    this.#dropsWidgets = true;
    const key = numberOf(this.#source.resolve(widget.get('StructParent')));
    if (key !== null) this.#parents.removeAnnotation(key);
  }

  /**
   * Adds one element for each overlay, whose content is in the page's slot. Identifiers continue those of the page's content,
   * and the page lists the elements too: identifiers need only be unique within a stream, but pdf.js and PDFium look up
   * all content of a page by the page.
   */
  tagSlot(page: TaggedPage, slot: PdfRef, overlays: readonly string[]): TaggedSlot {
    const ofPage = this.#parents.contentOf(this.#keyOf(page));
    const first = ofPage.length;
    const structParents = this.#parents.newKey();
    const ofSlot = this.#parents.contentOf(structParents);
    for (let mcid = 0; mcid < first; mcid += 1) ofSlot.push(PdfNull.instance);
    overlays.forEach((_, index) => {
      const element = this.#newElement(page, 'P');
      element.dict.set('K', markedContent(page, first + index, slot));
      ofPage.push(element.ref);
      ofSlot.push(element.ref);
      this.#overlays.push(element.ref);
    });
    return { structParents, tags: { first, overlays } };
  }

  /** Writes what has changed. */
  finish(): void {
    if (!this.#dropsWidgets && this.#overlays.length === 0) return;
    const added = [...(this.#dropsWidgets ? this.#replaceWidgets() : []), ...this.#overlays];
    const parent = this.#topElement();
    for (const ref of added) {
      const element = this.#source.resolve(ref);
      if (isDict(element)) element.set('P', parent.ref);
    }
    if (added.length > 0) parent.dict.set('K', PdfArray.of(...kidsOf(this.#source, parent.dict), ...added));
    this.#root.set('ParentTree', this.#parents.write());
    this.#root.set('ParentTreeNextKey', PdfNumber.of(this.#parents.nextKey));
    this.#source.catalog.set('StructTreeRoot', this.#rootRef);
  }

  /** Returns new elements for widgets that the tree never mentioned. */
  #replaceWidgets(): PdfRef[] {
    this.#replaceIn(this.#root, this.#rootRef, 0);
    this.#parents.removeElements(this.#removed);
    return [...this.#widgets].map(([widget, content]) => {
      const { dict, ref } = this.#newElement(content.page, 'Form');
      dict.set('K', this.#claim(widget, content, dict, ref));
      return ref;
    });
  }

  #keyOf({ dict }: TaggedPage): number {
    const known = numberOf(this.#source.resolve(dict.get('StructParents')));
    if (known !== null) return known;
    const key = this.#parents.newKey();
    dict.set('StructParents', PdfNumber.of(key));
    return key;
  }

  #newElement(page: TaggedPage, type: string): { readonly dict: PdfDict; readonly ref: PdfRef } {
    const dict = PdfDict.of({ Type: PdfName.of('StructElem'), S: PdfName.of(type), Pg: page.ref });
    return { dict, ref: this.#source.register(dict) };
  }

  /** The document's one element, or the root of a tree that has none or several. */
  #topElement(): { readonly dict: PdfDict; readonly ref: PdfRef } {
    const kids = kidsOf(this.#source, this.#root);
    const [only] = kids;
    const element = this.#source.resolve(only);
    if (kids.length === 1 && isRef(only) && isDict(element)) return { dict: element, ref: only };
    return { dict: this.#root, ref: this.#rootRef };
  }

  /** Replaces references to widgets with content. Returns true if the element has no kids afterwards. */
  #replaceIn(element: PdfDict, ref: PdfRef, depth: number): boolean {
    if (this.#visited.has(element) || depth > MAX_DEPTH) return false;
    this.#visited.add(element);
    const kept: PdfObject[] = [];
    let changed = false;
    for (const kid of kidsOf(this.#source, element)) {
      const next = this.#replacement(kid, element, ref, depth);
      changed ||= next !== kid;
      if (next !== null) kept.push(next);
    }
    if (!changed) return false;
    if (kept.length === 0) element.delete('K');
    else element.set('K', PdfArray.of(...kept));
    return kept.length === 0 && !element.has('ID');
  }

  #replacement(kid: PdfObject, element: PdfDict, ref: PdfRef, depth: number): PdfObject | null {
    const dict = this.#source.resolve(kid);
    if (!isDict(dict) || dict.has('MCID')) return kid;
    if (!dict.has('Obj')) {
      // Content refers to its element, so an element needs its own number.
      const own = isRef(kid) ? kid : this.#source.register(dict);
      if (!this.#replaceIn(dict, own, depth + 1)) return own;
      this.#removed.add(dict);
      return null;
    }
    const annotation = this.#source.resolve(dict.get('Obj'));
    if (!isDict(annotation) || nameOf(this.#source.resolve(annotation.get('Subtype'))) !== 'Widget')
      return kid;
    this.dropWidget(annotation);
    const content = this.#widgets.get(annotation);
    return content === undefined ? null : this.#claim(annotation, content, element, ref);
  }

  /** Makes the content the element's own. A form element without a widget needs an attribute for its role (§14.8.4.7.3). */
  #claim(
    widget: PdfDict,
    { page, key, mcid, isButton }: FlatContent,
    element: PdfDict,
    ref: PdfRef,
  ): PdfDict {
    this.#widgets.delete(widget);
    this.#parents.contentOf(key).set(mcid, ref);
    if (nameOf(this.#source.resolve(element.get('S'))) === 'Form') {
      if (isButton) element.set('S', PdfName.of('Span'));
      else if (!element.has('A')) {
        element.set('A', PdfDict.of({ O: PdfName.of('PrintField'), Role: PdfName.of('tv') }));
      }
      // An alternate text would be read instead of the value.
      const described = element.get('Alt');
      if (described !== undefined && !element.has('T')) element.set('T', described);
      element.delete('Alt');
    }
    return markedContent(page, mcid);
  }
}

const MAX_DEPTH = 1000;

function markedContent(page: TaggedPage, mcid: number, stream?: PdfRef): PdfDict {
  const reference = PdfDict.of({ Type: PdfName.of('MCR'), Pg: page.ref, MCID: PdfNumber.of(mcid) });
  if (stream !== undefined) reference.set('Stm', stream);
  return reference;
}

function kidsOf(source: SourceDocument, element: PdfDict): readonly PdfObject[] {
  const entry = element.get('K');
  const kids = source.resolve(entry);
  if (isArray(kids)) return [...kids];
  return entry === undefined || kids === null || kids.type === 'null' ? [] : [entry];
}
