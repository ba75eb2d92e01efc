import type { Codec } from '#fill/codec.ts';
import { ImageInvalid } from './image-invalid.ts';
import { readJpeg } from './jpeg.ts';
import type { PdfImage } from './pdf-image.ts';
import { readPng } from './png.ts';
import { readPngHeader } from './png-chunks.ts';

export type ImageCodec = Pick<Codec, 'crc32' | 'sha256Hex'>;

/** Number of bytes that identify the file type. */
export const PICTURE_START_BYTES = 8;

/** Distinguishes PNG (ISO/IEC 15948) from JPEG (ISO/IEC 10918-1) by the first bytes. */
export function pictureKind(start: Uint8Array): 'png' | 'jpeg' | undefined {
  if (start[0] === 0x89 && start[1] === 0x50 && start[2] === 0x4e && start[3] === 0x47) return 'png';
  if (start[0] === 0xff && start[1] === 0xd8 && start[2] === 0xff) return 'jpeg';
  return undefined;
}

/** Returns the number of pixels to decode, from the header; 0 for a JPEG, which is not decoded. */
export function pixelsToDecode(bytes: Uint8Array): number {
  if (pictureKind(bytes) !== 'png') return 0;
  const { width, height } = readPngHeader(bytes);
  return width * height;
}

export function readImage(bytes: Uint8Array, codec: ImageCodec): PdfImage {
  const kind = pictureKind(bytes);
  if (kind === undefined) throw new ImageInvalid('it is neither a PNG nor a JPEG');
  try {
    const digest = codec.sha256Hex(bytes);
    return kind === 'png' ? readPng(bytes, codec.crc32, digest) : readJpeg(bytes, digest);
  } catch (error) {
    if (error instanceof ImageInvalid) throw error;
    throw new ImageInvalid('the picture is damaged');
  }
}
