import { PdfArray, PdfDict, PdfNumber, type PdfObject, type PdfRef } from '@libpdf/core';
import { isArray, isDict, numberOf, type SourceDocument } from './load-source.ts';

/**
 * The number tree that leads from content back to its structure elements (ISO 32000-2 §14.7.5.4). A key with an array is
 * a page's or a form's: its items are the elements of marked content 0, 1, …. Any other value is an annotation's element.
 */
export class ParentTree {
  readonly #source: SourceDocument;
  readonly #entries = new Map<number, PdfObject>();
  #nextKey: number;

  constructor(source: SourceDocument, tree: PdfObject | undefined, nextKey: number) {
    this.#source = source;
    this.#read(tree);
    this.#nextKey = nextKey;
    for (const key of this.#entries.keys()) this.#nextKey = Math.max(this.#nextKey, key + 1);
  }

  get nextKey(): number {
    return this.#nextKey;
  }

  newKey(): number {
    this.#nextKey += 1;
    return this.#nextKey - 1;
  }

  /** Returns the elements of a page's marked content. Additions to the array become part of the tree. */
  contentOf(key: number): PdfArray {
    const known = this.#source.resolve(this.#entries.get(key));
    const content = PdfArray.of(...(isArray(known) ? known : []));
    this.#entries.set(key, content);
    return content;
  }

  removeAnnotation(key: number): void {
    if (!isArray(this.#source.resolve(this.#entries.get(key)))) this.#entries.delete(key);
  }

  /** Removes the entries of annotations that refer to these elements. */
  removeElements(elements: ReadonlySet<PdfDict>): void {
    for (const [key, value] of this.#entries) {
      const element = this.#source.resolve(value);
      if (isDict(element) && elements.has(element)) this.#entries.delete(key);
    }
  }

  /** Writes the whole tree in leaves of a size that readers search quickly. */
  write(): PdfRef {
    const entries = [...this.#entries].sort(([a], [b]) => a - b);
    const leaves: PdfDict[] = [];
    for (let from = 0; from < entries.length; from += LEAF_ENTRIES) {
      const part = entries.slice(from, from + LEAF_ENTRIES);
      const leaf = new PdfDict();
      leaf.set('Nums', PdfArray.of(...part.flatMap(([key, value]) => [PdfNumber.of(key), value])));
      leaf.set('Limits', PdfArray.of(...[part[0], part.at(-1)].map((end) => PdfNumber.of(end?.[0] ?? 0))));
      leaves.push(leaf);
    }
    const [only = PdfDict.of({ Nums: PdfArray.of() })] = leaves;
    if (leaves.length > 1) {
      return this.#source.register(
        PdfDict.of({ Kids: PdfArray.of(...leaves.map((leaf) => this.#source.register(leaf))) }),
      );
    }
    // The root has no limits (table 37).
    only.delete('Limits');
    return this.#source.register(only);
  }

  #read(tree: PdfObject | undefined): void {
    const nodes: (PdfObject | undefined)[] = [tree];
    const seen = new Set<PdfDict>();
    for (const object of nodes) {
      const node = this.#source.resolve(object);
      if (!isDict(node) || seen.has(node)) continue;
      seen.add(node);
      const pairs = this.#source.resolve(node.get('Nums'));
      for (let at = 0; isArray(pairs) && at + 1 < pairs.length; at += 2) {
        const key = numberOf(this.#source.resolve(pairs.at(at)));
        const value = pairs.at(at + 1);
        if (key !== null && value !== undefined && !this.#entries.has(key)) this.#entries.set(key, value);
      }
      const kids = this.#source.resolve(node.get('Kids'));
      if (isArray(kids)) nodes.push(...kids);
    }
  }
}

const LEAF_ENTRIES = 1000;
