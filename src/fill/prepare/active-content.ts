import { PdfArray, type PdfDict, type PdfObject, PdfStream } from '@libpdf/core';
import { isForbiddenAction, isForbiddenAnywhere, staysAsAddress } from './actions.ts';
import { isArray, isDict, nameOf, type SourceDocument } from './load-source.ts';

/**
 * Removes active content from the source: code that runs in a reader, programs that it starts, actions on opening, and actions
 * that access other files and servers (ISO 32000-2 §12.6).
 */
export class ActiveContent {
  readonly #source: SourceDocument;
  /** Keeps actions that access other files and servers on a click. Scripts and programs are removed anyway. */
  readonly #keepActions: boolean;
  readonly #names: PdfObject | null;
  readonly #portfolio: PdfObject | null;
  readonly #addresses: PdfObject | null;

  constructor(source: SourceDocument, keepActions: boolean) {
    this.#source = source;
    this.#keepActions = keepActions;
    this.#names = this.#resolved(source.catalog, 'Names');
    this.#portfolio = this.#resolved(source.catalog, 'Collection');
    this.#addresses = this.#resolved(source.catalog, 'URI');
  }

  /** True for an object that is written as null wherever it is found. */
  isForbidden(object: PdfObject): boolean {
    return isDict(object) && isForbiddenAnywhere(this.#source, object, this.#keepActions);
  }

  /**
   * The part of an entry that is kept; null removes it. Resource dictionaries may use the same keys as names, so the kind of
   * dictionary matters.
   */
  keptValue(dict: PdfDict, key: string, value: PdfObject): PdfObject | null {
    switch (key) {
      case 'A': // annotations and outline items
      case 'PA': // links; with NA the steps of a presentation
      case 'NA':
      case 'Next': // actions that follow each other
        return this.#keptActions(value);
      case 'AA':
        return this.#isActor(dict) || this.#holdsActions(value) ? null : value;
      case 'OpenAction':
      case 'NeedsRendering':
        return dict === this.#source.catalog ? null : value;
      case 'D':
        // The embedded file that a portfolio opens in place of the document.
        return dict === this.#portfolio ? null : value;
      case 'Base':
        // What addresses without a scheme are relative to.
        return dict === this.#addresses && !staysAsAddress(this.#source, value, this.#keepActions)
          ? null
          : value;
      case 'JavaScript':
      case 'AlternatePresentations':
        return dict === this.#names ? null : value;
      case 'JS':
        // A rendition action may contain a script beside its media.
        return this.#nameIn(dict, 'S') === 'Rendition' ? null : value;
      case 'RichMediaContent':
      case 'RichMediaSettings':
        // Its assets and its activation contain scripts.
        return this.#nameIn(dict, 'Subtype') === 'RichMedia' ? null : value;
      case 'Movie':
        return this.#nameIn(dict, 'Subtype') === 'Movie' && !this.#keepActions ? null : value;
      case 'OnInstantiate':
        // The script of a 3D stream.
        return dict instanceof PdfStream ? null : value;
      case 'Ref':
        // A form XObject that shows a page of another file (§8.10.4).
        return dict instanceof PdfStream && !this.#keepActions ? null : value;
      default:
        return value;
    }
  }

  /** One action, or an array of them. */
  #keptActions(value: PdfObject): PdfObject | null {
    const found = this.#source.resolve(value);
    if (isDict(found)) return this.#isForbiddenAction(found) ? null : value;
    if (!isArray(found)) return value;
    const kept = [...found].filter((item) => {
      const action = this.#source.resolve(item);
      return !isDict(action) || !this.#isForbiddenAction(action);
    });
    return kept.length === found.length ? value : new PdfArray(kept);
  }

  #isForbiddenAction(dict: PdfDict): boolean {
    return isForbiddenAction(this.#source, dict, this.#keepActions);
  }

  /** Catalog, pages, annotations and form fields are what additional actions belong to. */
  #isActor(dict: PdfDict): boolean {
    if (dict === this.#source.catalog) return true;
    const type = this.#nameIn(dict, 'Type');
    if (type === 'Page' || type === 'Catalog' || type === 'Annot') return true;
    return dict.has('FT') || dict.has('Subtype') || (dict.has('T') && !isDict(this.#resolved(dict, 'T')));
  }

  /** A dictionary of actions by trigger, in any parent. */
  #holdsActions(value: PdfObject): boolean {
    const found = this.#source.resolve(value);
    if (!isDict(found)) return false;
    return [...found].some(([, entry]) => {
      const action = this.#source.resolve(entry);
      return isDict(action) && action.has('S');
    });
  }

  #nameIn(dict: PdfDict, key: string): string | null {
    return nameOf(this.#resolved(dict, key));
  }

  #resolved(dict: PdfDict, key: string): PdfObject | null {
    return this.#source.resolve(dict.get(key));
  }
}
