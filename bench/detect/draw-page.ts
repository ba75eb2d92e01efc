import { readFileSync, writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import type { Rect } from '../../web/src/core/geometry/rect.ts';

export interface DrawnBox extends Rect {
  readonly colour: readonly [number, number, number];
  /** Draws the outline this many pixels further in, so that two equal boxes stay visible. */
  readonly inset?: number;
}

/** Writes a PNG of a page without its widgets, with boxes drawn over it. */
export async function drawPage(
  file: string,
  number: number,
  boxes: readonly DrawnBox[],
  to: string,
  scale: number,
): Promise<void> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(readFileSync(file));
  const { width, height, data } = await document
    .getPage(number - 1)
    .render({ scale, render: 'bitmap', renderFormFields: false });
  for (const { x, y, width: w, height: h, colour, inset = 0 } of boxes) {
    const [left, top] = [Math.round(x * scale) + inset, Math.round(y * scale) + inset];
    const [right, bottom] = [Math.round((x + w) * scale) - inset, Math.round((y + h) * scale) - inset];
    const put = (px: number, py: number) => {
      if (px < 0 || py < 0 || px >= width || py >= height) return;
      data.set(colour, 4 * (py * width + px));
    };
    for (let px = left; px <= right; px += 1)
      for (const py of [top, top + 1, bottom - 1, bottom]) put(px, py);
    for (let py = top; py <= bottom; py += 1)
      for (const px of [left, left + 1, right - 1, right]) put(px, py);
  }
  writeFileSync(to, png(width, height, data));
  document.destroy();
  library.destroy();
}

function png(width: number, height: number, rgba: Uint8Array): Buffer {
  const lines = Buffer.alloc(height * (1 + width * 4));
  for (let y = 0; y < height; y += 1)
    lines.set(rgba.subarray(y * width * 4, (y + 1) * width * 4), y * (1 + width * 4) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const chunk = (type: string, body: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(body.length, 0);
    frame.writeUInt32BE(crc32(typed), 4);
    return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)]);
  };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
