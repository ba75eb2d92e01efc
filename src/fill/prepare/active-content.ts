import type { PdfDict } from '@libpdf/core';
import { isDict, nameOf, type SourceDocument } from './load-source.ts';

/**
 * What a filled document must not carry on from its source: code that runs in a reader, programs it starts, and
 * what it does by itself on opening (ISO 32000-2 §12.6). Actions are recognised wherever they hang, by their /S.
 */
const FORBIDDEN_ACTIONS = new Set(['JavaScript', 'Launch']);

export function isForbiddenAction(source: SourceDocument, dict: PdfDict): boolean {
  const kind = dict.get('S');
  if (kind === undefined) return false;
  const name = nameOf(source.resolve(kind));
  return (
    name !== null && FORBIDDEN_ACTIONS.has(name) && nameOf(source.resolve(dict.get('Type'))) !== 'StructElem'
  );
}

/** False for entries that go whole. Resource dictionaries may use the same keys as names of theirs, so the kind of dictionary counts. */
export function keepsEntry(source: SourceDocument, dict: PdfDict, key: string): boolean {
  switch (key) {
    case 'AA':
      return !isActor(source, dict);
    case 'OpenAction':
    case 'NeedsRendering':
      return dict !== source.catalog;
    case 'JavaScript':
      return dict !== source.resolve(source.catalog.get('Names'));
    case 'JS':
      // A rendition action may carry a script beside its media.
      return nameOf(source.resolve(dict.get('S'))) !== 'Rendition';
    default:
      return true;
  }
}

/** Catalog, pages, annotations and form fields are what additional actions hang on. */
function isActor(source: SourceDocument, dict: PdfDict): boolean {
  if (dict === source.catalog) return true;
  const type = nameOf(source.resolve(dict.get('Type')));
  if (type === 'Page' || type === 'Catalog' || type === 'Annot') return true;
  return dict.has('FT') || dict.has('Subtype') || (dict.has('T') && !isDict(source.resolve(dict.get('T'))));
}
