import { PDF, PdfArray, PdfDict, type PdfObject, PdfRef } from '@libpdf/core';
import { AnnotationMode, getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';

/**
 * Problems in the logical structure of a PDF: references to annotations that are on no page, and a parent tree and
 * a structure tree that do not match. Empty if the structure is valid.
 */
export async function structureProblems(bytes: Uint8Array): Promise<string[]> {
  const { context } = await PDF.load(bytes);
  const resolve = (object: PdfObject | undefined): PdfObject | null => {
    let current = object ?? null;
    while (current instanceof PdfRef) current = context.resolve(current);
    return current;
  };
  const dictOf = (object: PdfObject | undefined) => {
    const dict = resolve(object);
    return dict instanceof PdfDict ? dict : null;
  };
  const listOf = (object: PdfObject | undefined): PdfObject[] => {
    const value = resolve(object);
    return value instanceof PdfArray ? [...value] : value === null || value.type === 'null' ? [] : [value];
  };
  const numberOf = (object: PdfObject | undefined) => {
    const value = resolve(object);
    return value?.type === 'number' ? (value as { value: number }).value : null;
  };

  const problems: string[] = [];
  const catalog = context.catalog.getDict();
  const pages: PdfDict[] = [];
  const addPages = (node: PdfDict | null): void => {
    if (node === null) return;
    if (!node.has('Kids')) pages.push(node);
    for (const kid of listOf(node.get('Kids'))) addPages(dictOf(kid));
  };
  addPages(dictOf(catalog.get('Pages')));
  const annotations = new Map<PdfDict, PdfDict>();
  for (const page of pages) {
    for (const entry of listOf(page.get('Annots'))) {
      const annotation = dictOf(entry);
      if (annotation === null) continue;
      if (annotations.has(annotation)) problems.push('an annotation is on two pages');
      annotations.set(annotation, page);
      const owner = dictOf(annotation.get('P'));
      if (owner !== null && owner !== page) problems.push('the /P of an annotation is another page');
    }
  }

  const root = dictOf(catalog.get('StructTreeRoot'));
  if (root === null) return [...problems, 'there is no structure tree'];
  const elements = new Set<PdfDict>();
  /** Content and annotations by element. */
  const owned = new Map<
    PdfDict,
    { readonly pages: Map<PdfDict, Set<number>>; readonly objects: Set<PdfDict> }
  >();
  const visit = (element: PdfDict): void => {
    if (elements.has(element)) return;
    elements.add(element);
    const own = { pages: new Map<PdfDict, Set<number>>(), objects: new Set<PdfDict>() };
    owned.set(element, own);
    const claim = (page: PdfDict | null, mcid: number) => {
      if (page === null || !pages.includes(page)) problems.push(`content ${mcid} is on no page`);
      else own.pages.set(page, (own.pages.get(page) ?? new Set<number>()).add(mcid));
    };
    for (const entry of listOf(element.get('K'))) {
      const kid = resolve(entry);
      if (!(kid instanceof PdfDict)) claim(dictOf(element.get('Pg')), numberOf(entry) ?? -1);
      else if (kid.has('MCID'))
        claim(dictOf(kid.get('Pg') ?? element.get('Pg')), numberOf(kid.get('MCID')) ?? -1);
      else if (kid.has('Obj')) {
        const target = dictOf(kid.get('Obj'));
        if (target === null || (target.has('Rect') && !annotations.has(target)))
          problems.push('an element refers to an annotation that is on no page');
        else own.objects.add(target);
      } else {
        if (dictOf(kid.get('P')) !== element) problems.push('the /P of an element is not its parent');
        visit(kid);
      }
    }
  };
  visit(root);

  const keys = new Map<number, PdfObject>();
  const readTree = (node: PdfDict | null): void => {
    const pairs = listOf(node?.get('Nums'));
    for (let at = 0; at + 1 < pairs.length; at += 2)
      keys.set(numberOf(pairs[at]) ?? -1, pairs[at + 1] as PdfObject);
    for (const kid of listOf(node?.get('Kids'))) readTree(dictOf(kid));
  };
  readTree(dictOf(root.get('ParentTree')));
  for (const [key, entry] of keys) {
    if (key >= (numberOf(root.get('ParentTreeNextKey')) ?? Number.POSITIVE_INFINITY))
      problems.push(`key ${key} is not below /ParentTreeNextKey`);
    const value = resolve(entry);
    if (!(value instanceof PdfArray)) {
      const element = dictOf(entry);
      const objects = element === null ? undefined : owned.get(element)?.objects;
      const leadsBack = [...(objects ?? [])].some((object) => numberOf(object.get('StructParent')) === key);
      if (!leadsBack) problems.push(`key ${key} leads to an element without its annotation`);
      continue;
    }
    const page = pages.find((candidate) => numberOf(candidate.get('StructParents')) === key);
    for (const [mcid, item] of [...value].entries()) {
      const element = dictOf(item);
      if (element === null) continue;
      if (!elements.has(element))
        problems.push(`content ${mcid} of key ${key} leads to an element outside the tree`);
      else if (page !== undefined && owned.get(element)?.pages.get(page)?.has(mcid) !== true)
        problems.push(`content ${mcid} of key ${key} leads to an element that does not own it`);
    }
  }
  for (const { pages: content } of owned.values()) {
    for (const [page, mcids] of content) {
      const listed = listOf(keys.get(numberOf(page.get('StructParents')) ?? -1));
      for (const mcid of mcids) {
        if (dictOf(listed[mcid]) === null) problems.push(`content ${mcid} is not in the parent tree`);
      }
    }
  }
  return problems;
}

const PAINTING: ReadonlySet<number> = new Set([
  OPS.stroke,
  OPS.closeStroke,
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.showText,
  OPS.showSpacedText,
  OPS.nextLineShowText,
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
  OPS.shadingFill,
]);

/** Number of operators per page that paint outside marked content, as read by pdf.js. */
export async function unmarkedPainting(bytes: Uint8Array): Promise<number[]> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const document = await task.promise;
  try {
    const counts: number[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE });
      let depth = 0;
      let unmarked = 0;
      fnArray.forEach((operator, at) => {
        if (operator === OPS.beginMarkedContent || operator === OPS.beginMarkedContentProps) depth += 1;
        else if (operator === OPS.endMarkedContent) depth = Math.max(0, depth - 1);
        else if (depth === 0 && PAINTING.has(operator)) unmarked += 1;
        // Paths include the operator that paints them.
        else if (depth === 0 && operator === OPS.constructPath && PAINTING.has(argsArray[at]?.[0]))
          unmarked += 1;
      });
      counts.push(unmarked);
    }
    return counts;
  } finally {
    await task.destroy();
  }
}
