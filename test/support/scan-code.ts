import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, type ReadInputBarcodeFormat, readBarcodes } from 'zxing-wasm/reader';
import type { ModuleGrid } from '#fill/draw/codes/module-grid.ts';
import type { Picture } from './renderings.ts';

/** Scans a code as a camera would see it: paints its rectangles as pixels and reads them with ZXing. */
const PIXELS_PER_MODULE = 6;
const BAR_HEIGHT = 90;

const require = createRequire(import.meta.url);
const WASM = 'zxing-wasm/reader/zxing_reader.wasm';
let ready: Promise<unknown> | undefined;

function loadScanner(): Promise<unknown> {
  ready ??= prepareZXingModule({
    // By default the reader downloads its WebAssembly from a public server; the installed file is identical.
    overrides: { wasmBinary: new Uint8Array(readFileSync(require.resolve(WASM))).buffer },
    fireImmediately: true,
  });
  return ready;
}

export async function scanGrid(grid: ModuleGrid, format: ReadInputBarcodeFormat): Promise<string[]> {
  await loadScanner();
  const results = await readBarcodes(paint(grid), { formats: [format], tryHarder: true });
  return results.filter(({ isValid }) => isValid).map(({ text }) => text);
}

/** Every code in a picture, as `format: text`. */
export async function scanPicture({ width, height, pixels }: Picture): Promise<string[]> {
  await loadScanner();
  const data = new Uint8ClampedArray(width * height * 4);
  const colors = new Uint32Array(data.buffer);
  for (let at = 0; at < colors.length; at += 1) colors[at] = 0xff000000 | ((pixels[at] ?? 0) * 0x010101);
  const image = { width, height, data, colorSpace: 'srgb' as const };
  const results = await readBarcodes(image, { tryHarder: true });
  return results.filter(({ isValid }) => isValid).map(({ format, text }) => `${format}: ${text}`);
}

/** Every code in a PNG or JPEG file, as `format: text`. */
export async function scanImageFile(file: Uint8Array): Promise<string[]> {
  await loadScanner();
  const results = await readBarcodes(file, { tryHarder: true });
  return results.filter(({ isValid }) => isValid).map(({ format, text }) => `${format}: ${text}`);
}

/** Even-odd, like the page: each rectangle flips the colour of the pixels it covers. */
function paint(grid: ModuleGrid): ImageDataLike {
  const down = grid.square ? PIXELS_PER_MODULE : BAR_HEIGHT / grid.height;
  const width = grid.width * PIXELS_PER_MODULE;
  const height = Math.round(grid.height * down);
  const dark = new Uint8Array(width * height);
  for (let at = 0; at < grid.rectangles.length; at += 4) {
    const [x = 0, y = 0, w = 0, h = 0] = [0, 1, 2, 3].map((offset) => grid.rectangles[at + offset]);
    for (let row = Math.round(y * down); row < Math.round((y + h) * down); row += 1) {
      for (let column = x * PIXELS_PER_MODULE; column < (x + w) * PIXELS_PER_MODULE; column += 1) {
        const pixel = row * width + column;
        dark[pixel] = (dark[pixel] ?? 0) ^ 1;
      }
    }
  }
  const data = new Uint8ClampedArray(width * height * 4);
  const colors = new Uint32Array(data.buffer);
  for (let at = 0; at < colors.length; at += 1) colors[at] = dark[at] === 1 ? 0xff000000 : 0xffffffff;
  return { width, height, data, colorSpace: 'srgb' };
}

interface ImageDataLike {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly colorSpace: 'srgb';
}
