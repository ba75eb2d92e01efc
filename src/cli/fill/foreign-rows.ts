import type { RowsRefused } from '#lib/rows/rows-refused.ts';

/**
 * Explains why rows were rejected. Advice about encodings does not help if the file is a ZIP or the PDF itself. The
 * first bytes are checked only after the rows were rejected, so that they never decide about a readable file; the code
 * stays the same.
 */
export function refusalInWords(file: string, head: Uint8Array, refused: RowsRefused): string {
  const kind = kindOf(Buffer.from(head));
  if (kind === null || kind === 'an XLSX workbook') return refused.message;
  return `${file} seems to be ${kind}. Rows must be CSV, an XLSX workbook, or a JSON array in a file named .json.`;
}

const ZIP_ENTRY = 'PK\x03\x04';
const EMPTY_ZIP = 'PK\x05\x06';

function kindOf(head: Buffer): string | null {
  const text = head.toString('latin1');
  if (text.startsWith('%PDF-')) return 'a PDF';
  if (text.startsWith(ZIP_ENTRY)) {
    // The name of an entry starts 26 bytes after its signature.
    const isWorkbook = text.split(ZIP_ENTRY).some((entry) => entry.startsWith('xl/', 26));
    return isWorkbook ? 'an XLSX workbook' : 'a ZIP file';
  }
  if (text.startsWith(EMPTY_ZIP)) return 'a ZIP file';
  return isBinary(head) ? 'binary data' : null;
}

/**
 * Reports whether the bytes are not text. Text in a wrong encoding is still text: it gets the advice to use another
 * encoding.
 */
function isBinary(head: Buffer): boolean {
  if (!head.some((byte) => CONTROLS.has(byte)) || isUtf16(head)) return false;
  if (head.includes(0)) return true;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return false;
  } catch {
    return true;
  }
}

/**
 * Bytes that occur in no text of any single-byte encoding: all controls except NUL, white space, escape, and the old
 * end-of-file mark.
 */
const CONTROLS = new Set([
  1, 2, 3, 4, 5, 6, 7, 8, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 29, 30, 31,
]);

/** Reports whether the text is UTF-16: it has a byte order mark, or every NUL is in the same half of a character. */
function isUtf16(head: Buffer): boolean {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const nuls = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  return Math.min(even, odd) === 0 && Math.max(even, odd) * 4 >= head.length;
}
