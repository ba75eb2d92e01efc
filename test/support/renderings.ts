import { readdirSync, rmSync } from 'node:fs';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import type { JudgeRoom } from './judges.ts';

/**
 * A page as grey pixels, from three renderers that share no code: poppler, MuPDF and PDFium (which draws form widgets
 * in a separate pass, as Chromium does).
 */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** One byte per pixel, 0 is black. */
  readonly pixels: Uint8Array;
}

export type Renderer = (room: JudgeRoom, file: string, dpi: number, page?: number) => Promise<Picture>;

export const RENDERERS: Readonly<Record<'poppler' | 'MuPDF' | 'PDFium', Renderer>> = {
  poppler: async (room, file, dpi, page = 1) => {
    const pages = ['-f', String(page), '-l', String(page)];
    room.run('pdftoppm', '-r', String(dpi), '-gray', '-cropbox', '-singlefile', ...pages, file, 'rendered');
    return readPgm(room.read('rendered.pgm'));
  },
  MuPDF: async (room, file, dpi, page = 1) => {
    const output = ['-c', 'gray', '-F', 'pgm', '-o', 'rendered.pgm'];
    room.run('mutool', 'draw', '-q', '-r', String(dpi), ...output, file, String(page));
    return readPgm(room.read('rendered.pgm'));
  },
  PDFium: async (room, file, dpi, page = 1) => {
    return renderByPdfium(room.read(file), dpi, page);
  },
};

export async function renderByPdfium(pdf: Uint8Array, dpi: number, page = 1): Promise<Picture> {
  // Loading takes longer than rendering a page; the instance lives until the test process ends.
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(pdf);
  const { width, height, data } = await document.getPage(page - 1).render({
    scale: dpi / 72,
    render: 'bitmap',
    renderFormFields: true,
  });
  document.destroy();
  return { width, height, pixels: greyOf(data) };
}

let library: Promise<PDFiumLibrary> | undefined;

/** Converts from colour: PDFium's own grey bitmaps make translucent text too light. */
function greyOf(rgba: Uint8Array): Uint8Array {
  const grey = new Uint8Array(rgba.length / 4);
  // By index: creating an array for each of millions of pixels takes longer than rendering them.
  for (let at = 0; at < grey.length; at += 1)
    grey[at] = greyLevel(rgba[4 * at] ?? 0, rgba[4 * at + 1] ?? 0, rgba[4 * at + 2] ?? 0);
  return grey;
}

export const greyLevel = (red: number, green: number, blue: number): number =>
  Math.round(0.299 * red + 0.587 * green + 0.114 * blue);

/** Binary PGM: `P5`, width, height, 255, one whitespace character, the pixels. */
function readPgm(bytes: Uint8Array): Picture {
  const header = /^P5\s+(?:#[^\n]*\n\s*)*(\d+)\s+(\d+)\s+255\s/.exec(
    Buffer.from(bytes.subarray(0, 200)).toString('latin1'),
  );
  if (header === null) throw new Error('no PGM of 8 bits');
  const [width, height] = [Number(header[1]), Number(header[2])];
  return { width, height, pixels: new Uint8Array(bytes.subarray(header[0].length)) };
}

/** Renders the first pages with the two command-line renderers; null if the program fails on the file. */
export const FIRST_PAGES: Readonly<
  Record<'poppler' | 'MuPDF', (room: JudgeRoom, file: string, dpi: number, pages: number) => Picture[] | null>
> = {
  poppler: (room, file, dpi, pages) =>
    firstPages(room, () =>
      room.try('pdftoppm', '-r', String(dpi), '-l', String(pages), '-gray', '-cropbox', file, 'first'),
    ),
  MuPDF: (room, file, dpi, pages) =>
    firstPages(room, () => {
      const output = ['-c', 'gray', '-F', 'pgm', '-o', 'first-%d.pgm'];
      return room.try('mutool', 'draw', '-q', '-r', String(dpi), ...output, file, `1-${pages}`);
    }),
};

function firstPages(room: JudgeRoom, draw: () => { readonly status: number }): Picture[] | null {
  const { status } = draw();
  const names = readdirSync(room.folder).filter((name) => /^first-\d+\.pgm$/.test(name));
  const pageOf = (name: string) => Number(/\d+/.exec(name)?.[0]);
  const pictures = names.sort((a, b) => pageOf(a) - pageOf(b)).map((name) => readPgm(room.read(name)));
  for (const name of names) rmSync(room.path(name));
  return status === 0 && pictures.length > 0 ? pictures : null;
}

/** A part of a page, in points from the top-left corner of the displayed page. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Number of pixels in an area whose grey differs clearly in the second picture. */
export function changed(before: Picture, after: Picture, area: Area, dpi: number): number {
  let count = 0;
  eachPixel(before, area, dpi, (at) => {
    if (differs(before, after, at)) count += 1;
  });
  return count;
}

/** Bounding box of all changes within an area; null if nothing changed. */
export function changedArea(before: Picture, after: Picture, area: Area, dpi: number): Area | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  eachPixel(before, area, dpi, (at) => {
    if (!differs(before, after, at)) return;
    const x = at % before.width;
    const y = Math.floor(at / before.width);
    [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
  });
  if (left > right) return null;
  const points = (pixels: number) => (pixels * 72) / dpi;
  return { x: points(left), y: points(top), width: points(right - left), height: points(bottom - top) };
}

/** Average darkness of an area: 0 is white, 1 black. */
export function darkness(picture: Picture, area: Area, dpi: number): number {
  let [sum, count] = [0, 0];
  eachPixel(picture, area, dpi, (at) => {
    sum += 255 - (picture.pixels[at] ?? 255);
    count += 1;
  });
  return sum / (255 * Math.max(1, count));
}

const CLEARLY = 64;
const differs = (before: Picture, after: Picture, at: number) =>
  Math.abs((before.pixels[at] ?? 255) - (after.pixels[at] ?? 255)) >= CLEARLY;

function eachPixel(picture: Picture, area: Area, dpi: number, visit: (at: number) => void): void {
  const scale = dpi / 72;
  const left = Math.max(0, Math.round(area.x * scale));
  const top = Math.max(0, Math.round(area.y * scale));
  const right = Math.min(picture.width, Math.round((area.x + area.width) * scale));
  const bottom = Math.min(picture.height, Math.round((area.y + area.height) * scale));
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) visit(y * picture.width + x);
  }
}
