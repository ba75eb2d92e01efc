import { PdfArray, PdfDict, type PdfObject, type PdfRef, PdfStream } from '@libpdf/core';
import { pdfNumber } from '../write/pdf-number.ts';
import { ASSUMED_BALANCE, type ContentBalance, contentBalance } from './content-balance.ts';
import { isArray, isDict, isRef, isStream, type SourceDocument } from './load-source.ts';
import { displayedPage, type PageGeometry, slotMatrix } from './page-geometry.ts';
import type { SlotTags } from './prepared-base.ts';
import type { TaggedSlot } from './structure-tree.ts';

/** An empty Form XObject for a page. `paint` draws it after the page's own content. */
export interface PlacedSlot {
  readonly ref: PdfRef;
  readonly head: string;
  readonly paint: string;
  readonly tags: SlotTags | undefined;
}

const encoder = new TextEncoder();

/** `tag` gives the slot its place in the structure of a tagged document. */
export function placeSlot(
  source: SourceDocument,
  page: PdfDict,
  geometry: PageGeometry,
  tag: (slot: PdfRef) => TaggedSlot | undefined,
): PlacedSlot {
  const ref = source.register(new PdfStream([], new Uint8Array()));
  const name = addXObject(source, page, 'RpOverlay', ref);
  const tagged = tag(ref);
  const head = slotHead(geometry, tagged?.structParents);
  return { ref, head, paint: `q /${name} Do Q\n`, tags: tagged?.tags };
}

export function slotHead(geometry: PageGeometry, structParents?: number): string {
  const { width, height } = displayedPage(geometry);
  return (
    `<</Type/XObject/Subtype/Form${structParents === undefined ? '' : `/StructParents ${structParents}`}` +
    `/BBox[0 0 ${pdfNumber(width)} ${pdfNumber(height)}]/Matrix${slotMatrix(geometry)}/Resources`
  );
}

export function addXObject(source: SourceDocument, page: PdfDict, prefix: string, ref: PdfRef): string {
  return addResource(source, page, 'XObject', prefix, ref);
}

/** Registers an object under a free name in a copy of the page's resources, which other pages may share. */
export function addResource(
  source: SourceDocument,
  page: PdfDict,
  category: 'XObject' | 'Properties',
  prefix: string,
  ref: PdfRef,
): string {
  const resources = copyOfDict(source, page.get('Resources'));
  const entries = copyOfDict(source, resources.get(category));
  const suffixes = copies.get(entries) ?? new Map<string, number>();
  let suffix = suffixes.get(prefix) ?? 0;
  const nameAt = () => (suffix === 0 ? prefix : `${prefix}${suffix}`);
  while (entries.has(nameAt())) suffix += 1;
  const name = nameAt();
  suffixes.set(prefix, suffix + 1);
  entries.set(name, ref);
  resources.set(category, entries);
  page.set('Resources', resources);
  return name;
}

/** Dictionaries copied here, each with the next suffix of its prefixes: a form adds thousands of names to one page. */
const copies = new WeakMap<PdfDict, Map<string, number>>();

function copyOfDict(source: SourceDocument, object: PdfObject | undefined): PdfDict {
  const dict = source.resolve(object);
  if (isDict(dict) && copies.has(dict)) return dict;
  const copy = isDict(dict) ? dict.clone() : new PdfDict();
  copies.set(copy, new Map());
  return copy;
}

/**
 * Keeps the page's own content, surrounds it with operators that restore the initial state, and paints `addition` after it. On
 * a tagged page, marked content that is left open is closed, so that it does not include the addition.
 */
export function wrapContent(
  source: SourceDocument,
  page: PdfDict,
  addition: string,
  isTagged: boolean,
): void {
  const streams = contentStreams(source, page);
  const { before, after, openText, openMarks } = balanceOf(source, streams);
  const opening = 'q '.repeat(before);
  const marks = isTagged ? 'EMC '.repeat(openMarks) : '';
  const closing = `\n${openText ? 'ET ' : ''}${marks}${'Q '.repeat(Math.max(0, after))}\n${addition}`;
  page.set(
    'Contents',
    PdfArray.of(
      source.register(new PdfStream([], encoder.encode(`${opening}\n`))),
      ...streams,
      source.register(new PdfStream([], encoder.encode(closing))),
    ),
  );
}

function contentStreams(source: SourceDocument, page: PdfDict): PdfRef[] {
  const contents = page.get('Contents');
  const resolved = source.resolve(contents);
  const parts = isArray(resolved) ? [...resolved] : contents === undefined ? [] : [contents];
  return parts.filter((part): part is PdfRef => isRef(part) && isStream(source.resolve(part)));
}

/** The standard treats the parts as one stream (ISO 32000-2 §7.8.2), so they are counted as one. */
function balanceOf(source: SourceDocument, streams: readonly PdfRef[]): ContentBalance {
  try {
    const parts = streams.map((ref) => {
      const stream = source.resolve(ref);
      return isStream(stream) ? stream.getDecodedData() : new Uint8Array();
    });
    const whole = new Uint8Array(parts.reduce((total, part) => total + part.length + 1, 0)).fill(0x0a);
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length + 1;
    }
    return contentBalance(whole);
  } catch {
    // The data is damaged, and only some readers can recover it. It is treated as balanced.
    return ASSUMED_BALANCE;
  }
}
