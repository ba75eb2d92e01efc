import { PDF, PdfArray, PdfDict, PdfNumber, type PdfObject, PdfRef, PdfStream } from '@libpdf/core';
import { type CutOff, findCutOff } from './cut-off.ts';
import { PdfRefused } from './refusal.ts';

/**
 * The uploaded file as an object graph. This is the only module that parses untrusted PDFs. On a server it runs in a capped
 * child process, because any parser can be made to loop or to exhaust memory.
 */
export interface SourceDocument {
  readonly catalog: PdfDict;
  readonly info: PdfDict | null;
  readonly version: string;
  /** Follows references (and references to references) to the object itself; null if there is none. */
  resolve(object: PdfObject | undefined | null): PdfObject | null;
  /** Adds an object to the graph. */
  register(object: PdfObject): PdfRef;
}

const MAX_REFERENCE_CHAIN = 32;

export async function loadSource(bytes: Uint8Array): Promise<SourceDocument> {
  if (!hasHeader(bytes)) throw new PdfRefused('PDF_INVALID', 'The file is not a PDF: it has no %PDF header.');
  let pdf: PDF;
  try {
    pdf = await loadRecovering(bytes);
  } catch (error) {
    throw new PdfRefused(
      'PDF_INVALID',
      `The PDF cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  if (pdf.isEncrypted && !pdf.isAuthenticated) {
    throw new PdfRefused('PDF_ENCRYPTED', 'The PDF is encrypted and needs a password to open.');
  }
  const { context } = pdf;
  const isLost = lostIn(findCutOff(bytes));
  const ours = new Set<PdfRef>();
  const resolve = (object: PdfObject | undefined | null): PdfObject | null => {
    let current = object ?? null;
    for (let step = 0; current !== null && current.type === 'ref'; step += 1) {
      if (step === MAX_REFERENCE_CHAIN) return null;
      const ref = current as PdfRef;
      current = context.resolve(ref);
      if (isLost(ref, current) && !ours.has(ref))
        throw new PdfRefused('PDF_INVALID', 'The PDF is cut off: parts that its pages need are missing.');
    }
    return current;
  };
  const trailer = context.info.trailer;
  const info = resolve(trailer.get('Info'));
  return {
    catalog: context.catalog.getDict(),
    info: info !== null && info.type === 'dict' ? (info as PdfDict) : null,
    version: pdf.version,
    resolve,
    register: (object) => {
      const ref = context.register(object);
      ours.add(ref); // its number may be that of a truncated object
      return ref;
    },
  };
}

/** In a complete file, a dangling reference is null (ISO 32000-2 §7.3.10). In a truncated file, its target is lost. */
function lostIn(cut: CutOff | null): (ref: PdfRef, found: PdfObject | null) => boolean {
  if (cut === null) return () => false;
  return (ref, found) => found === null || ref.objectNumber === cut.unfinished;
}

/**
 * Parses a file. If that fails, retries with the cross-reference table hidden: the parser scans for objects only if the
 * table is unreadable, but a table that parses and is wrong (no catalog at its offset) needs a scan too.
 */
async function loadRecovering(bytes: Uint8Array): Promise<PDF> {
  try {
    return await PDF.load(bytes);
  } catch (error) {
    try {
      return await PDF.load(withoutStartXref(bytes));
    } catch {
      throw error;
    }
  }
}

const STARTXREF = [...'startxref'].map((letter) => letter.charCodeAt(0));

function withoutStartXref(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  for (let at = copy.indexOf(0x73); at >= 0; at = copy.indexOf(0x73, at + 1)) {
    if (STARTXREF.every((code, index) => copy[at + index] === code))
      copy.fill(0x20, at, at + STARTXREF.length);
  }
  return copy;
}

/** Readers accept junk before the header, within the first kilobyte. */
function hasHeader(bytes: Uint8Array): boolean {
  let head = '';
  for (const byte of bytes.subarray(0, 1024 + 5)) head += String.fromCharCode(byte);
  return head.includes('%PDF-');
}

export const isDict = (object: PdfObject | null): object is PdfDict => object instanceof PdfDict;
export const isStream = (object: PdfObject | null): object is PdfStream => object instanceof PdfStream;
export const isArray = (object: PdfObject | null): object is PdfArray => object instanceof PdfArray;
export const isRef = (object: PdfObject | null | undefined): object is PdfRef => object instanceof PdfRef;

export function numberOf(object: PdfObject | null): number | null {
  return object instanceof PdfNumber && Number.isFinite(object.value) ? object.value : null;
}

export function nameOf(object: PdfObject | null): string | null {
  return object !== null && object.type === 'name' ? (object as { value: string }).value : null;
}

export function numbersOf(source: SourceDocument, object: PdfObject | null): number[] | null {
  if (!isArray(object)) return null;
  const numbers: number[] = [];
  for (const item of object) {
    const value = numberOf(source.resolve(item));
    if (value === null) return null;
    numbers.push(value);
  }
  return numbers;
}
