import type { PdfString } from '@libpdf/core';

const UTF8_MARK = [0xef, 0xbb, 0xbf];
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes a text string (ISO 32000-2 §7.9.2.2): UTF-8 or UTF-16 by its byte order mark, else PDFDocEncoding. The parser
 * supports the last two; PDF 2.0 added UTF-8. A string with the UTF-8 mark but invalid UTF-8 is read as PDFDocEncoding.
 */
export function decodeTextString(string: PdfString): string {
  const { bytes } = string;
  if (!UTF8_MARK.every((byte, index) => bytes[index] === byte)) return string.asString();
  try {
    return utf8.decode(bytes);
  } catch {
    return string.asString();
  }
}
