import type { BaseReader } from './base-reader.ts';
import { dictionaryOf, referenceOf } from './base-text.ts';
import { LinkFinder } from './inner-links.ts';
import { hole, type RowTemplate, rowTemplate } from './row-template.ts';

/**
 * Annotations of the pages. An annotation may be on one page only (ISO 32000-2 §12.5.2), so every copy of a page has
 * its own copies, which share appearances with the base.
 */
export interface PageAnnotations {
  /** The value of /Annots, with a hole for every copy, of the pages (from 0) that have any. */
  readonly lists: ReadonlyMap<number, string>;
  /** The annotations that go into those holes. */
  readonly copies: readonly RowTemplate[];
}

/** Limits the copies per row, because a small file could require very many. Further annotations stay shared. */
const MAX_COPIES = 100_000;
/** Entries by which annotations refer to each other (§12.5.6.2, §12.5.6.14). */
const RELATIONS = ['/Popup', '/Parent', '/IRT'] as const;

interface Found {
  readonly page: number;
  readonly entries: Map<string, string>;
}

export function findAnnotations(reader: BaseReader, pageNumbers: readonly number[]): PageAnnotations {
  const finder = new LinkFinder(reader, pageNumbers);
  const lists = new Map<number, string>();
  const found: Found[] = [];
  /** By number in the base. An annotation on several pages belongs to the first one. */
  const copyOf = new Map<number, number>();
  for (const [page, number] of pageNumbers.entries()) {
    const items = finder.annotationsOf(number);
    if (items.length === 0) continue;
    const places = items.map((item) => {
      const entries = found.length < MAX_COPIES ? finder.entriesOf(item) : null;
      if (entries === null) return item;
      const leads = finder.leadToRow(entries);
      const reference = referenceOf(item);
      // A direct object is part of the page and is copied with it.
      if (reference === null && !leads) return inPage(item, entries, page);
      if (reference !== null && !copyOf.has(reference)) copyOf.set(reference, found.length);
      found.push({ page, entries });
      return hole('annotation', found.length - 1);
    });
    lists.set(page, `[${places.join(' ')}]`);
  }
  return { lists, copies: found.map((copy) => rowTemplate(copyText(copy, copyOf))) };
}

function inPage(item: string, entries: Map<string, string>, page: number): string {
  if (!entries.has('/P') && !entries.has('/StructParent')) return item;
  return copyText({ page, entries }, new Map());
}

function copyText({ page, entries }: Found, copyOf: ReadonlyMap<number, number>): string {
  if (entries.has('/P')) entries.set('/P', hole('page', page));
  // The number refers to the structure tree, which a merged file does not have.
  entries.delete('/StructParent');
  for (const key of RELATIONS) {
    const copy = copyOf.get(referenceOf(entries.get(key) ?? '') ?? -1);
    if (copy !== undefined) entries.set(key, hole('annotation', copy));
  }
  return dictionaryOf(entries);
}
