import { Unzlib } from 'fflate';
import { ImageInvalid } from './image-invalid.ts';
import type { PngHeader } from './png-chunks.ts';

// Decodes PNG pixels: inflates, reverses the row filters (ISO/IEC 15948 §9), and merges interlaced passes (§8.2).

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Start and step of Adam7's passes, x then y. */
const ADAM7 = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const;

interface Pass {
  readonly width: number;
  readonly height: number;
  readonly x0: number;
  readonly dx: number;
  readonly y0: number;
  readonly dy: number;
}

const bitsPerPixel = ({ colorType, bitDepth }: PngHeader) => (CHANNELS[colorType] ?? 1) * bitDepth;
const rowBytes = (header: PngHeader, width: number) => Math.ceil((width * bitsPerPixel(header)) / 8);

function passesOf({ width, height, interlaced }: PngHeader): Pass[] {
  if (!interlaced) return [{ width, height, x0: 0, dx: 1, y0: 0, dy: 1 }];
  return ADAM7.map(([x0, dx, y0, dy]) => ({
    width: Math.ceil((width - x0) / dx),
    height: Math.ceil((height - y0) / dy),
    x0,
    dx,
    y0,
    dy,
  })).filter((pass) => pass.width > 0 && pass.height > 0);
}

const SLICE = 65_536;

/** Returns all lines with their filter bytes. */
export function inflateExactly(data: Uint8Array, header: PngHeader): Uint8Array {
  const out = new Uint8Array(inflatedLength(header));
  inflate(data, out.length, (chunk, at) => out.set(chunk, at));
  return out;
}

/** Checks the number of lines and their filters without storing the lines. For pictures that are not interlaced. */
export function checkPixels(data: Uint8Array, header: PngHeader): void {
  const line = rowBytes(header, header.width) + 1;
  inflate(data, inflatedLength(header), (chunk, at) => {
    for (let filter = Math.ceil(at / line) * line - at; filter < chunk.length; filter += line)
      if ((chunk[filter] ?? 0) > 4) throw new ImageInvalid('the picture is damaged');
  });
}

/** Returns undefined if the data is damaged or inflates to more than `most` bytes. */
export function inflateUpTo(data: Uint8Array, most: number): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    pushAll(data, (chunk) => {
      length += chunk.length;
      if (length > most) throw new RangeError('too long');
      parts.push(chunk);
    });
  } catch {
    return undefined;
  }
  const out = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function inflatedLength(header: PngHeader): number {
  let length = 0;
  for (const pass of passesOf(header)) length += (rowBytes(header, pass.width) + 1) * pass.height;
  return length;
}

/** Inflates to a known length and rejects a longer stream (a bomb) as soon as it exceeds that length. */
function inflate(data: Uint8Array, expected: number, take: (chunk: Uint8Array, at: number) => void): void {
  let length = 0;
  pushAll(data, (chunk) => {
    if (length + chunk.length > expected) throw new ImageInvalid('the picture holds more than it declares');
    take(chunk, length);
    length += chunk.length;
  });
  if (length < expected) throw new ImageInvalid('the picture is cut short');
}

function pushAll(data: Uint8Array, take: (chunk: Uint8Array) => void): void {
  const inflater = new Unzlib(take);
  for (let at = 0; at < data.length; at += SLICE)
    inflater.push(data.subarray(at, at + SLICE), at + SLICE >= data.length);
}

/** Returns unfiltered rows in full-size order. Samples stay packed as in the file unless the picture was interlaced. */
export function decodeRows(raw: Uint8Array, header: PngHeader): Uint8Array {
  const bits = bitsPerPixel(header);
  const stride = rowBytes(header, header.width);
  const image = new Uint8Array(stride * header.height);
  let at = 0;
  for (const pass of passesOf(header)) {
    const length = rowBytes(header, pass.width);
    let previous = new Uint8Array(length);
    for (let row = 0; row < pass.height; row += 1) {
      const current = raw.slice(at + 1, at + 1 + length);
      unfilter(raw[at] ?? 0, current, previous, Math.max(1, bits >> 3));
      at += 1 + length;
      const target = (pass.y0 + row * pass.dy) * stride;
      if (pass.dx === 1) image.set(current, target);
      else scatter(current, image, target, pass, bits);
      previous = current;
    }
  }
  return image;
}

function scatter(row: Uint8Array, image: Uint8Array, target: number, pass: Pass, bits: number): void {
  for (let index = 0; index < pass.width; index += 1) {
    const x = pass.x0 + index * pass.dx;
    if (bits >= 8) {
      const bytes = bits >> 3;
      image.set(row.subarray(index * bytes, (index + 1) * bytes), target + x * bytes);
      continue;
    }
    const shift = 8 - bits - ((index * bits) & 7);
    const sample = ((row[(index * bits) >> 3] ?? 0) >> shift) & ((1 << bits) - 1);
    const place = target + ((x * bits) >> 3);
    image[place] = (image[place] ?? 0) | (sample << (8 - bits - ((x * bits) & 7)));
  }
}

function unfilter(type: number, row: Uint8Array, above: Uint8Array, step: number): void {
  if (type > 4) throw new ImageInvalid('the picture is damaged');
  for (let index = 0; index < row.length && type !== 0; index += 1) {
    const left = index >= step ? (row[index - step] as number) : 0;
    const up = above[index] as number;
    const upLeft = index >= step ? (above[index - step] as number) : 0;
    const guess =
      type === 1 ? left : type === 2 ? up : type === 3 ? (left + up) >> 1 : paeth(left, up, upLeft);
    row[index] = (row[index] as number) + guess;
  }
}

function paeth(left: number, up: number, upLeft: number): number {
  const guess = left + up - upLeft;
  const a = Math.abs(guess - left);
  const b = Math.abs(guess - up);
  const c = Math.abs(guess - upLeft);
  return a <= b && a <= c ? left : b <= c ? up : upLeft;
}

export interface Samples {
  /** One byte per sample. */
  readonly color: Uint8Array;
  readonly alpha: Uint8Array | undefined;
  readonly components: 1 | 3;
}

/** Reduces samples to 8 bits and separates colours from alpha. */
export function samplesOf(
  image: Uint8Array,
  header: PngHeader,
  palette: Uint8Array | undefined,
  transparency: Uint8Array | undefined,
): Samples {
  const { width, height, bitDepth, colorType } = header;
  const pixels = width * height;
  const channels = CHANNELS[colorType] ?? 1;
  const components = colorType === 0 || colorType === 4 ? 1 : 3;
  const hasAlpha = colorType >= 4 || transparency !== undefined;
  const color = new Uint8Array(pixels * components);
  const alpha = hasAlpha ? new Uint8Array(pixels).fill(255) : undefined;
  const sample = sampleReader(image, header, channels);
  const full = bitDepth === 16 ? 65_535 : (1 << bitDepth) - 1;
  const eight = (value: number) => (bitDepth === 16 ? value >> 8 : Math.round((value * 255) / full));
  const key = transparency === undefined ? [] : transparentColor(transparency, components);
  for (let y = 0, pixel = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, pixel += 1) {
      if (colorType === 3) {
        const index = sample(x, y, 0);
        for (let c = 0; c < 3; c += 1) color[pixel * 3 + c] = palette?.[index * 3 + c] ?? 0;
        if (alpha !== undefined) alpha[pixel] = transparency?.[index] ?? 255;
        continue;
      }
      let isKey = key.length > 0;
      for (let c = 0; c < components; c += 1) {
        const value = sample(x, y, c);
        if (value !== key[c]) isKey = false;
        color[pixel * components + c] = eight(value);
      }
      if (alpha === undefined) continue;
      if (colorType >= 4) alpha[pixel] = eight(sample(x, y, components));
      else if (isKey) alpha[pixel] = 0;
    }
  }
  return { color, alpha, components };
}

/** Reads the transparent colour of a picture without a palette from tRNS, in 16-bit samples. */
function transparentColor(transparency: Uint8Array, components: number): number[] {
  return Array.from(
    { length: components },
    (_, index) => ((transparency[index * 2] ?? 0) << 8) | (transparency[index * 2 + 1] ?? 0),
  );
}

function sampleReader(image: Uint8Array, header: PngHeader, channels: number) {
  const { bitDepth, width } = header;
  const stride = rowBytes(header, width);
  return (x: number, y: number, channel: number): number => {
    const index = x * channels + channel;
    if (bitDepth === 8) return image[y * stride + index] as number;
    if (bitDepth === 16) {
      const at = y * stride + index * 2;
      return ((image[at] as number) << 8) | (image[at + 1] as number);
    }
    const shift = 8 - bitDepth - ((index * bitDepth) & 7);
    return ((image[y * stride + ((index * bitDepth) >> 3)] as number) >> shift) & ((1 << bitDepth) - 1);
  };
}
