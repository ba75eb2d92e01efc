import { ImageInvalid } from './image-invalid.ts';
import { readJpeg } from './jpeg.ts';
import type { PdfImage } from './pdf-image.ts';
import { readPng } from './png.ts';

/** PNG (ISO/IEC 15948) or JPEG (ISO/IEC 10918-1), told apart by their first bytes. */
export function readImage(bytes: Uint8Array): PdfImage {
  try {
    if (bytes[0] === 0x89 && bytes[1] === 0x50) return readPng(bytes);
    if (bytes[0] === 0xff && bytes[1] === 0xd8) return readJpeg(bytes);
  } catch (error) {
    if (error instanceof ImageInvalid) throw error;
    throw new ImageInvalid('the picture is damaged');
  }
  throw new ImageInvalid('it is neither a PNG nor a JPEG');
}
