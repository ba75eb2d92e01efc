import { stream } from '../../fonts/pdf-font.ts';
import { checkedSize, ImageInvalid } from './image-invalid.ts';
import type { PdfImage } from './pdf-image.ts';

/**
 * A JPEG goes into the PDF as it is (/DCTDecode): only its size and number of colours must be read from its frame
 * header (ISO/IEC 10918-1 §B.2.2). Adobe's CMYK files store inverted values (APP14), which /Decode turns back.
 */
interface Frame {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly adobe: boolean;
}

const SPACES: Readonly<Record<number, string>> = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' };

export function readJpeg(bytes: Uint8Array): PdfImage {
  const { width, height, components, adobe } = readFrame(bytes);
  const space = SPACES[components];
  if (space === undefined) throw new ImageInvalid(`a JPEG of ${components} colour components`);
  const decode = components === 4 && adobe ? '/Decode[1 0 1 0 1 0 1 0]' : '';
  return {
    width,
    height,
    write: (numbers) => {
      const num = numbers.next();
      const entries =
        `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}` +
        `/ColorSpace${space}/BitsPerComponent 8${decode}/Filter/DCTDecode`;
      return { num, objects: [stream(num, bytes, entries, false)] };
    },
  };
}

function readFrame(bytes: Uint8Array): Frame {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let adobe = false;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) throw new ImageInvalid('the picture is damaged');
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1; // fill bytes
      continue;
    }
    const length = view.getUint16(at + 2);
    if (isFrameHeader(marker)) {
      if (view.getUint8(at + 4) !== 8) throw new ImageInvalid('a JPEG of more than 8 bits');
      const size = checkedSize(view.getUint16(at + 7), view.getUint16(at + 5));
      return { ...size, components: view.getUint8(at + 9), adobe: adobe || adobeFollows(bytes, at) };
    }
    if (marker === 0xda || marker === 0xd9) break;
    if (marker === 0xee && ascii(bytes, at + 4, 5) === 'Adobe') adobe = true;
    at += 2 + length;
  }
  throw new ImageInvalid('the picture has no frame');
}

/** Baseline, extended and progressive frames; lossless and arithmetic ones have no place in a PDF. */
function isFrameHeader(marker: number): boolean {
  if (marker === 0xc0 || marker === 0xc1 || marker === 0xc2) return true;
  const other = marker >= 0xc3 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
  if (other) throw new ImageInvalid('a JPEG of a kind that PDF does not know');
  return false;
}

/** Some writers put APP14 between the frame and the scan. */
function adobeFollows(bytes: Uint8Array, frame: number): boolean {
  let at = frame + 2 + (((bytes[frame + 2] ?? 0) << 8) | (bytes[frame + 3] ?? 0));
  while (at + 9 < bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda) {
    if (bytes[at + 1] === 0xee && ascii(bytes, at + 4, 5) === 'Adobe') return true;
    at += 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
  }
  return false;
}

function ascii(bytes: Uint8Array, from: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(from, from + length));
}
