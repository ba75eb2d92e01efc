import { PdfArray, PdfDict, PdfName, PdfNumber, type PdfRef } from '@libpdf/core';
import type { Codec } from '../codec.ts';
import { readFields } from '../forms/read-fields.ts';
import { dropInvalidClaims } from '../forms/signed.ts';
import { ENGINE_VERSION } from '../version.ts';
import { hex } from '../write/hex.ts';
import { type ObjectNumbers, objectNumbersFrom, type PdfObject } from '../write/tail-object.ts';
import { writeXref } from '../write/xref-table.ts';
import { GraphWriter } from './graph-writer.ts';
import { loadSource, type SourceDocument } from './load-source.ts';
import { displayedPage } from './page-geometry.ts';
import { readPageTree, type SourcePage } from './page-tree.ts';
import { type PlacedSlot, placeSlots } from './place-slot.ts';
import type { Prepared, Slot } from './prepared-base.ts';
import { readSourceMetadata } from './read-source-metadata.ts';
import { refusalOf } from './refusal.ts';

/**
 * Turns a source PDF into a base: one classic cross-reference table, no object streams, no scripts, every target
 * page with an empty slot, shared fonts and images embedded. Rows then only append (write-tail.ts).
 */
export interface PrepareRequest {
  readonly source: Uint8Array;
  /** Pages (from 1) that overlays stand on; numbers beyond the last page are ignored. */
  readonly targetPages: readonly number[];
  readonly flattenForms: boolean;
  readonly maxPages: number;
  /** Adds what all rows share. Called once the numbers of the source's own objects are known. */
  embed(numbers: ObjectNumbers): { objects: readonly PdfObject[]; state: unknown };
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
  const sha256 = hex(codec.sha256(request.source));
  const fields = readFields(source, tree.pages);
  const metadata = readSourceMetadata(source, tree.pages, fields, sha256);
  dropInvalidClaims(source, fields);
  const writer = new GraphWriter(source, request.source.length + 65_536);

  const pagesDict = new PdfDict();
  const pagesRef = source.register(pagesDict);
  const targets = new Set(request.targetPages);
  const placed: { page: number; slot: PlacedSlot }[] = [];
  const kids: PdfRef[] = [];
  const seen = new Set<PdfDict>();
  tree.pages.forEach((page, index) => {
    const dict = standAlonePage(page, pagesRef);
    const ref = source.register(dict);
    kids.push(ref);
    if (page.ref !== null && !seen.has(page.dict)) writer.alias(page.ref, ref);
    seen.add(page.dict);
    if (!targets.has(index + 1)) return;
    for (const slot of placeSlots(source, dict, page.geometry, ['RpOverlay'])) {
      placed.push({ page: index + 1, slot });
    }
  });
  for (const node of tree.nodes) writer.alias(node, pagesRef);
  pagesDict.set('Type', PdfName.of('Pages'));
  pagesDict.set('Count', PdfNumber.of(kids.length));
  pagesDict.set('Kids', PdfArray.of(...kids));

  const { sink } = writer;
  sink.ascii(`%PDF-${source.version > '1.7' ? source.version : '1.7'}\n`);
  sink.bytes(BINARY_MARK);
  const rootNumber = writer.numberOf(source.register(plainCatalog(source, pagesRef)));
  const infoNumber = source.info === null ? null : writer.numberOf(source.register(source.info));
  const slots: Slot[] = placed.map(({ page, slot }) => ({
    page,
    num: writer.numberOf(slot.ref),
    head: slot.head,
  }));
  const empty = new Map(slots.map((slot) => [slot.num, emptySlot(slot.head)]));
  writer.drain(empty);

  const numbers = objectNumbersFrom(writer.nextNumber);
  const { objects, state } = request.embed(numbers);
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
      bytes: sink.copy(),
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
        forms: null,
      },
    },
  };
}

/** A comment of bytes above 127 tells transfer programs that the file is binary (ISO 32000-2 §7.5.2). */
const BINARY_MARK = Uint8Array.of(0x25, 0xe2, 0xe3, 0xcf, 0xd3, 0x0a);

/** The page with everything it used to inherit, under the one flat /Pages node. */
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

function plainCatalog(source: SourceDocument, pages: PdfRef): PdfDict {
  const catalog = source.catalog.clone();
  catalog.set('Type', PdfName.of('Catalog'));
  catalog.set('Pages', pages);
  for (const key of ['OpenAction', 'AA', 'NeedsRendering', 'Version', 'Perms']) catalog.delete(key);
  return catalog;
}

function emptySlot(head: string): Uint8Array {
  return new TextEncoder().encode(`${head}<<>>/Length 0>>\nstream\n\nendstream`);
}
