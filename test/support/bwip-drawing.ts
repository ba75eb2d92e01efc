import bwip from 'bwip-js/node';
import { readPngChunks } from '#fill/draw/images/png-chunks.ts';
import { decodeRows, inflateExactly, samplesOf } from '#fill/draw/images/png-pixels.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { greyLevel, type Picture } from './renderings.ts';

/** Draws these options with bwip-js's own rasteriser, which shares no code with our vectors. */
export async function bwipDrawing(options: { bcid: string; text: string }): Promise<Picture> {
  const png = await bwip.toBuffer({ scale: 8, backgroundcolor: 'ffffff', ...options });
  const { header, data, palette, transparency } = readPngChunks(png, nativeCodec.crc32);
  const { width, height } = header;
  const { color, components } = samplesOf(
    decodeRows(inflateExactly(data, header), header),
    header,
    palette,
    transparency,
  );
  const pixels = new Uint8Array(width * height);
  const [green, blue] = components === 1 ? [0, 0] : [1, 2];
  for (let at = 0; at < pixels.length; at += 1) {
    const first = at * components;
    pixels[at] = greyLevel(color[first] ?? 0, color[first + green] ?? 0, color[first + blue] ?? 0);
  }
  return { width, height, pixels };
}

export interface Ink {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const DARK = 160;

export function inkOf({ width, height, pixels }: Picture): Ink {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((pixels[y * width + x] ?? 0) >= DARK) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

const ACROSS = 500;
const DOWN = 120;

/** Share of points at which two drawings differ after their ink is aligned. */
export function difference(one: Picture, other: Picture): number {
  const [a, b] = [sampled(one), sampled(other)];
  let differing = 0;
  a.forEach((dark, at) => {
    if (dark !== b[at]) differing += 1;
  });
  return differing / a.length;
}

function sampled(picture: Picture): boolean[] {
  const ink = inkOf(picture);
  const points: boolean[] = [];
  for (let down = 0; down < DOWN; down += 1) {
    const y = ink.top + Math.floor(((down + 0.5) / DOWN) * ink.height);
    for (let across = 0; across < ACROSS; across += 1) {
      const x = ink.left + Math.floor(((across + 0.5) / ACROSS) * ink.width);
      points.push((picture.pixels[y * picture.width + x] ?? 255) < DARK);
    }
  }
  return points;
}
