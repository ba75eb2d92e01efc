import type { Codec } from '#fill/codec.ts';
import { checkedSize, ImageInvalid } from './image-invalid.ts';
import { type Orientation, orientationOf } from './orientation.ts';

/** The chunks of a PNG that affect a page (ISO/IEC 15948 §11): size, palette, transparency, pixels, colours, orientation. */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  /** 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha. */
  readonly colorType: number;
  readonly interlaced: boolean;
}

export interface PngChunks {
  readonly header: PngHeader;
  readonly palette: Uint8Array | undefined;
  readonly transparency: Uint8Array | undefined;
  /** All IDAT chunks together: one zlib stream. */
  readonly data: Uint8Array;
  readonly orientation: Orientation;
  /** The ICC profile of iCCP, a zlib stream. */
  readonly deflatedProfile: Uint8Array | undefined;
}

const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Signature, then IHDR: length, type, 13 bytes and a checksum. It is the first chunk and the only one of its type. */
const HEADER_END = 8 + 8 + 13 + 4;

export function readPngHeader(bytes: Uint8Array): PngHeader {
  if (bytes.length < HEADER_END) throw new ImageInvalid('the picture is cut short');
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_END);
  const type = String.fromCharCode(...bytes.subarray(12, 16));
  if (type !== 'IHDR' || view.getUint32(8) !== 13) throw new ImageInvalid('the picture is damaged');
  return readHeader(new DataView(bytes.buffer, bytes.byteOffset + 16, 13));
}

/** Reads all chunks. Verifies every checksum and requires the end chunk, so that a truncated file is not drawn in part. */
export function readPngChunks(bytes: Uint8Array, crc32: Codec['crc32']): PngChunks {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = readPngHeader(bytes);
  if (crc32(bytes.subarray(12, HEADER_END - 4)) !== view.getUint32(HEADER_END - 4))
    throw new ImageInvalid('the picture is damaged');
  let palette: Uint8Array | undefined;
  let transparency: Uint8Array | undefined;
  let orientation: Orientation = 1;
  let deflatedProfile: Uint8Array | undefined;
  let ended = false;
  const parts: Uint8Array[] = [];
  let at = HEADER_END;
  while (!ended) {
    if (at + 12 > bytes.length) throw new ImageInvalid('the picture is cut short');
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const end = at + 8 + length;
    if (end + 4 > bytes.length) throw new ImageInvalid('the picture is cut short');
    if (crc32(bytes.subarray(at + 4, end)) !== view.getUint32(end))
      throw new ImageInvalid('the picture is damaged');
    const body = bytes.subarray(at + 8, end);
    if (type === 'IHDR') throw new ImageInvalid('the picture is damaged');
    else if (type === 'PLTE') palette = body;
    else if (type === 'tRNS') transparency = body;
    else if (type === 'IDAT') parts.push(body);
    else if (type === 'eXIf') orientation = orientationOf(body);
    else if (type === 'iCCP') deflatedProfile = profileOf(body);
    else if (type === 'IEND') ended = true;
    at = end + 4;
  }
  if (parts.length === 0) throw new ImageInvalid('the picture has no pixels');
  if (header.colorType === 3) {
    if (palette === undefined || palette.length % 3 !== 0 || palette.length < 3 || palette.length > 768) {
      throw new ImageInvalid('the picture has no usable palette');
    }
  }
  return {
    header,
    palette,
    transparency: header.colorType < 4 ? transparency : undefined,
    data: join(parts),
    orientation,
    deflatedProfile,
  };
}

/** iCCP: a name of at most 79 characters, NUL, compression method 0, data. */
function profileOf(body: Uint8Array): Uint8Array | undefined {
  const end = body.indexOf(0);
  return end > 0 && end < 80 && body[end + 1] === 0 ? body.subarray(end + 2) : undefined;
}

function readHeader(view: DataView): PngHeader {
  const bitDepth = view.getUint8(8);
  const colorType = view.getUint8(9);
  if (DEPTHS[colorType]?.includes(bitDepth) !== true) throw new ImageInvalid('a PNG of an unknown kind');
  if (view.getUint8(10) !== 0 || view.getUint8(11) !== 0 || view.getUint8(12) > 1) {
    throw new ImageInvalid('a PNG of an unknown kind');
  }
  const size = checkedSize(view.getUint32(0), view.getUint32(4));
  return { ...size, bitDepth, colorType, interlaced: view.getUint8(12) === 1 };
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  const joined = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
