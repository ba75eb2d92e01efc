import { PdfArray, PdfDict, PdfName, PdfNumber, type PdfRef } from '@libpdf/core';
import type { Codec } from '../codec.ts';
import { refuseDynamicXfa } from '../forms/dynamic-xfa.ts';
import type { FormState } from '../forms/form-state.ts';
import type { PendingPicture } from '../forms/missing-pictures.ts';
import { planForms } from '../forms/plan-forms.ts';
import { readFields } from '../forms/read-fields.ts';
import { dropInvalidClaims } from '../forms/signed.ts';
import { ENGINE_VERSION } from '../version.ts';
import { ObjectNumbers, type PdfObject } from '../write/tail-object.ts';
import { writeXref } from '../write/xref-table.ts';
import { dropConformanceClaims } from './conformance-claims.ts';
import { GraphWriter } from './graph-writer.ts';
import { loadSource, type SourceDocument } from './load-source.ts';
import { displayedPage } from './page-geometry.ts';
import { readPageTree, type SourcePage } from './page-tree.ts';
import { type PlacedSlot, placeSlot, wrapContent } from './place-slot.ts';
import type { Prepared, Slot } from './prepared-base.ts';
import { readSourceMetadata } from './read-source-metadata.ts';
import { refusalOf } from './refusal.ts';
import { StructureTree } from './structure-tree.ts';

/**
 * Turns a source PDF into a base: one classic cross-reference table, no object streams, no scripts, every target
 * page with an empty slot, shared fonts and images embedded. Rows then only append (write-tail.ts).
 */
export interface PrepareRequest {
  readonly source: Uint8Array;
  /** Pages (from 1) with overlays. Numbers beyond the last page are ignored. */
  readonly targetPages: readonly TargetPage[];
  readonly flattenForms: boolean;
  readonly keepActions: boolean;
  /** Full names of the native fields that rows fill. */
  readonly mappedFields: readonly string[];
  readonly maxPages: number;
  /** Adds what all rows share, and the pictures that field values of the source still lack. */
  embed(
    numbers: ObjectNumbers,
    forms: FormState,
    pictures: readonly NumberedPicture[],
  ): Promise<{ objects: readonly PdfObject[]; state: unknown }>;
}

export interface TargetPage {
  readonly page: number;
  /** Ids of the overlays that belong to the document's structure. All others are decoration. */
  readonly overlays: readonly string[];
}

/** The base already refers to this picture by its number. */
export interface NumberedPicture extends PendingPicture {
  readonly num: number;
}

export async function prepareBase(request: PrepareRequest, codec: Codec): Promise<Prepared> {
  try {
    return await prepare(request, codec);
  } catch (error) {
    return refusalOf(error);
  }
}

async function prepare(request: PrepareRequest, codec: Codec): Promise<Prepared> {
  const source = await loadSource(request.source);
  const tree = readPageTree(source, request.maxPages);
  const sha256 = codec.sha256Hex(request.source);
  const fields = readFields(source, tree.pages);
  refuseDynamicXfa(source, tree.pages, fields);
  const metadata = readSourceMetadata(source, tree.pages, fields, sha256);
  dropInvalidClaims(source, fields);
  dropConformanceClaims(source, request.flattenForms);
  const writer = new GraphWriter(source, request.source.length + 65_536, request.keepActions);

  const pagesDict = new PdfDict();
  const pagesRef = source.register(pagesDict);
  const seen = new Set<PdfDict>();
  const pages = tree.pages.map((page, index) => {
    const dict = standAlonePage(page, pagesRef);
    const ref = source.register(dict);
    if (page.ref !== null && !seen.has(page.dict)) writer.alias(page.ref, ref);
    seen.add(page.dict);
    return { index, dict, ref, geometry: page.geometry };
  });
  const kids = pages.map(({ ref }) => ref);
  const structure = StructureTree.of(source);
  const mapped = new Set(request.mappedFields);
  const forms = planForms(source, pages, fields, mapped, request.flattenForms, structure);
  const targets = new Map(request.targetPages.map((target) => [target.page, target.overlays]));
  const placed: { page: number; slot: PlacedSlot }[] = [];
  for (const page of pages) {
    const { index, dict, geometry } = page;
    let addition = forms.content.get(index) ?? '';
    const overlays = targets.get(index + 1);
    if (overlays !== undefined) {
      const slot = placeSlot(source, dict, geometry, (ref) => structure?.tagSlot(page, ref, overlays));
      placed.push({ page: index + 1, slot });
      addition += slot.paint;
    }
    if (addition !== '') wrapContent(source, dict, addition, structure !== null);
  }
  structure?.finish();
  for (const node of tree.nodes) writer.alias(node, pagesRef);
  pagesDict.set('Type', PdfName.of('Pages'));
  pagesDict.set('Count', PdfNumber.of(kids.length));
  pagesDict.set('Kids', new PdfArray(kids));

  const { sink } = writer;
  sink.ascii(`%PDF-${source.version > '1.7' ? source.version : '1.7'}\n`);
  sink.bytes(BINARY_MARK);
  const rootNumber = writer.numberOf(source.register(plainCatalog(source, pagesRef, request.flattenForms)));
  const infoNumber = source.info === null ? null : writer.numberOf(source.register(source.info));
  const slots: Slot[] = placed.map(({ page, slot }) => ({
    page,
    num: writer.numberOf(slot.ref),
    head: slot.head,
    ...(slot.tags === undefined ? {} : { tags: slot.tags }),
  }));
  const formState = forms.state(writer);
  const pictures = forms.pending.map((picture) => ({ ...picture, num: writer.numberOf(picture.ref) }));
  writer.drain(
    new Map([
      ...slots.map((slot) => [slot.num, emptySlot(slot.head)] as const),
      ...forms.slotBodies(writer),
      ...pictures.map(({ num }) => [num, null] as const),
    ]),
  );

  const numbers = new ObjectNumbers(writer.nextNumber);
  const { objects, state } = await request.embed(numbers, formState, pictures);
  for (const object of objects) writer.writeObject(object.num, object.body);

  const startXref = sink.length;
  const id = sha256.slice(0, 32);
  writer.xref.sort((a, b) => a.num - b.num);
  writeXref(sink, writer.xref, true);
  const info = infoNumber === null ? '' : `/Info ${infoNumber} 0 R`;
  sink.ascii(`trailer\n<</Size ${numbers.upcoming}/Root ${rootNumber} 0 R${info}/ID[<${id}><${id}>]>>\n`);
  sink.ascii(`startxref\n${startXref}\n%%EOF\n`);

  return {
    ok: true,
    base: {
      // The writer is finished, so its buffer can be passed on.
      bytes: sink.view(),
      facts: {
        engine: ENGINE_VERSION,
        startXref,
        size: numbers.upcoming,
        rootNumber,
        infoNumber,
        id,
        pageNumbers: kids.map((kid) => writer.numberOf(kid)),
        pages: tree.pages.map((page) => displayedPage(page.geometry)),
        slots,
        source: metadata,
        resources: state,
        forms: formState,
      },
    },
  };
}

/** A comment of bytes above 127 marks the file as binary for transfer programs (ISO 32000-2 §7.5.2). */
const BINARY_MARK = Uint8Array.of(0x25, 0xe2, 0xe3, 0xcf, 0xd3, 0x0a);

/** Returns the page with all attributes that it inherited, under the single flat /Pages node. */
function standAlonePage(page: SourcePage, parent: PdfRef): PdfDict {
  const dict = page.dict.clone();
  const box = (numbers: readonly number[]) => PdfArray.of(...numbers.map((value) => PdfNumber.of(value)));
  dict.set('Type', PdfName.of('Page'));
  dict.set('Parent', parent);
  dict.set('Resources', page.resources ?? new PdfDict());
  dict.set('MediaBox', box(page.geometry.mediaBox));
  if (page.cropBox !== null) dict.set('CropBox', box(page.geometry.box));
  else dict.delete('CropBox');
  if (page.geometry.rotation === 0) dict.delete('Rotate');
  else dict.set('Rotate', PdfNumber.of(page.geometry.rotation));
  dict.delete('AA');
  return dict;
}

function plainCatalog(source: SourceDocument, pages: PdfRef, withoutForm: boolean): PdfDict {
  const catalog = source.catalog.clone();
  catalog.set('Type', PdfName.of('Catalog'));
  catalog.set('Pages', pages);
  for (const key of ['OpenAction', 'AA', 'NeedsRendering', 'Version', 'Perms']) catalog.delete(key);
  if (withoutForm) catalog.delete('AcroForm');
  return catalog;
}

function emptySlot(head: string): Uint8Array {
  return new TextEncoder().encode(`${head}<<>>/Length 0>>\nstream\n\nendstream`);
}
