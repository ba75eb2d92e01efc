/**
 * Draws one page of a PDF as PNG (ISO/IEC 15948). Reads the request from standard input and writes the picture to
 * standard output. Runs in a process with limits, like all PDF parsers.
 */
import { crc32, deflateSync } from 'node:zlib';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { decodeMessage } from '#fill/node/message.ts';
import { writeOutput } from '#fill/node/write-output.ts';
import type { PictureRequest } from './page-picture.ts';

const chunks: Uint8Array[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
const { head, blocks } = decodeMessage(Buffer.concat(chunks));
const { page, width } = head as PictureRequest;
const pdfium = await PDFiumLibrary.init();
const document = await pdfium.loadDocument(blocks[0] ?? new Uint8Array());
if (page <= document.getPageCount()) {
  const drawn = document.getPage(page - 1);
  const { originalWidth, originalHeight } = drawn.getOriginalSize();
  const height = Math.max(1, Math.min(4 * width, Math.round((width * originalHeight) / originalWidth)));
  const bitmap = await drawn.render({ width, height, render: 'bitmap', renderFormFields: true });
  writeOutput(png(bitmap.data, bitmap.width, bitmap.height));
}

/** RGBA without filters: every line starts with a 0 byte. PDFium's `bitmap` is already RGBA. */
function png(pixels: Uint8Array, columns: number, lines: number): Uint8Array {
  const stride = columns * 4;
  const raw = Buffer.alloc((stride + 1) * lines);
  for (let line = 0; line < lines; line += 1)
    raw.set(pixels.subarray(line * stride, (line + 1) * stride), line * (stride + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(columns, 0);
  header.writeUInt32BE(lines, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    piece('IHDR', header),
    piece('IDAT', deflateSync(raw)),
    piece('IEND', Buffer.alloc(0)),
  ]);
}

function piece(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}
