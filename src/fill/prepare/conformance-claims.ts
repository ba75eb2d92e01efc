import { PdfName, PdfStream } from '@libpdf/core';
import { isStream, type SourceDocument } from './load-source.ts';

/** Namespaces by which XMP metadata says that the file conforms to a standard (ISO 19005, ISO 14289). */
const PDF_A = 'http://www.aiim.org/pdfa/ns/id/';
const PDF_UA = 'http://www.aiim.org/pdfua/ns/id/';

/**
 * Removes claims of conformance that filling may break, from the document's XMP metadata. PDF/A: a row's transparency,
 * colours, pictures or missing glyphs can break it, and the engine does not check that. PDF/UA: flattening removes
 * the form, and merging the structure. Everything else in the metadata stays.
 */
export function dropConformanceClaims(source: SourceDocument, flattens: boolean): void {
  const stream = source.resolve(source.catalog.get('Metadata'));
  if (!isStream(stream)) return;
  const xmp = decoded(stream);
  if (xmp === null) return;
  let kept = withoutProperties(xmp, PDF_A);
  if (flattens) kept = withoutProperties(kept, PDF_UA);
  if (kept === xmp) return;
  const entries: [string, PdfName][] = [
    ['Type', PdfName.of('Metadata')],
    ['Subtype', PdfName.of('XML')],
  ];
  source.catalog.set('Metadata', source.register(new PdfStream(entries, new TextEncoder().encode(kept))));
}

/** XMP in PDF is UTF-8 (ISO 16684-1 §7.1); null for anything else. */
function decoded(stream: PdfStream): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(stream.getDecodedData());
  } catch {
    return null;
  }
}

/** Each one costs a pass over the text. Ordinary files have one. */
const MAX_PREFIXES = 16;

/** The text without the properties of a namespace, written as attributes or as elements. */
export function withoutProperties(xmp: string, namespace: string): string {
  let kept = xmp;
  const prefixes = new Set<string>();
  for (const [, prefix = '', , bound] of xmp.matchAll(/xmlns:([\w.-]+)\s*=\s*(["'])(.*?)\2/g)) {
    if (bound === namespace && prefixes.size < MAX_PREFIXES) prefixes.add(prefix);
  }
  for (const prefix of prefixes) {
    const name = `${prefix.replace(/[.]/g, '\\.')}:[\\w.-]+`;
    kept = kept
      .replace(new RegExp(`<(${name})(\\s[^<>]*)?(/>|>[^<]*</\\1\\s*>)`, 'g'), '')
      .replace(new RegExp(`\\s${name}\\s*=\\s*("[^"<]*"|'[^'<]*')`, 'g'), '');
  }
  return kept;
}
