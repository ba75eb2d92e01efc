import type { PdfDict, PdfObject, PdfRef } from '@libpdf/core';
import { isArray, isDict, isRef, nameOf, numberOf, numbersOf, type SourceDocument } from './load-source.ts';
import { type PageGeometry, pageGeometry } from './page-geometry.ts';
import { PdfRefused } from './refusal.ts';

/** A leaf of the page tree with the attributes it inherits (ISO 32000-2 §7.7.3.4) already looked up. */
export interface SourcePage {
  readonly dict: PdfDict;
  /** How the rest of the file points at this page; null for a page written directly into /Kids. */
  readonly ref: PdfRef | null;
  readonly resources: PdfObject | null;
  readonly geometry: PageGeometry;
  readonly cropBox: readonly number[] | null;
}

export interface PageTree {
  readonly pages: SourcePage[];
  /** All intermediate nodes, so that stray references to them can be redirected to the new root. */
  readonly nodes: PdfRef[];
}

interface Inherited {
  resources: PdfObject | null;
  mediaBox: readonly number[] | null;
  cropBox: readonly number[] | null;
  rotate: number;
}

const MAX_DEPTH = 256;
/** Limits the kids that are not pages: a small file could list millions of them. */
const MAX_NODES = 200_000;

export function readPageTree(source: SourceDocument, maxPages: number): PageTree {
  const tree: PageTree = { pages: [], nodes: [] };
  const onPath = new Set<PdfDict>();
  let visited = 0;

  const visit = (object: PdfObject | undefined, inherited: Inherited, depth: number): void => {
    visited += 1;
    if (visited > MAX_NODES || depth > MAX_DEPTH) {
      throw new PdfRefused('PDF_INVALID', 'The page tree of the PDF is too deep or too large.');
    }
    const dict = source.resolve(object);
    if (!isDict(dict) || onPath.has(dict)) return;
    const own = inherit(source, dict, inherited);
    const kids = source.resolve(dict.get('Kids'));
    const type = nameOf(source.resolve(dict.get('Type')));
    if (isArray(kids) && type !== 'Page') {
      if (isRef(object)) tree.nodes.push(object);
      onPath.add(dict);
      for (const kid of kids) visit(kid, own, depth + 1);
      onPath.delete(dict);
      return;
    }
    if (type === 'Pages' && !dict.has('Contents') && !dict.has('MediaBox')) return;
    if (tree.pages.length === maxPages) {
      throw new PdfRefused('PDF_TOO_MANY_PAGES', `The PDF has more than ${maxPages} pages.`);
    }
    const userUnit = numberOf(source.resolve(dict.get('UserUnit'))) ?? 1;
    tree.pages.push({
      dict,
      ref: isRef(object) ? object : null,
      resources: own.resources,
      cropBox: own.cropBox,
      geometry: pageGeometry(own.mediaBox, own.cropBox, own.rotate, userUnit),
    });
  };

  const nothing: Inherited = { resources: null, mediaBox: null, cropBox: null, rotate: 0 };
  visit(source.catalog.get('Pages'), nothing, 0);
  if (tree.pages.length === 0) throw new PdfRefused('PDF_INVALID', 'The PDF has no pages.');
  return tree;
}

function inherit(source: SourceDocument, dict: PdfDict, from: Inherited): Inherited {
  return {
    resources: isDict(source.resolve(dict.get('Resources')))
      ? (dict.get('Resources') ?? null)
      : from.resources,
    mediaBox: numbersOf(source, source.resolve(dict.get('MediaBox'))) ?? from.mediaBox,
    cropBox: numbersOf(source, source.resolve(dict.get('CropBox'))) ?? from.cropBox,
    rotate: numberOf(source.resolve(dict.get('Rotate'))) ?? from.rotate,
  };
}
