/**
 * Makes the two sources of the fill benchmark, always with the same bytes:
 *   A  1 page, about 180 kB: a form page with text and one picture
 *   B  20 pages, about 4 MB: the same kind of page, a picture on each
 * Pictures are noise from a fixed generator, because pictures in real documents do not compress further either.
 *
 *   node bench/fill/make-sources.ts <folder>
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface BenchSource {
  readonly pages: number;
  readonly pictureBytes: number;
}

export const SOURCES = {
  A: { pages: 1, pictureBytes: 172_800 },
  B: { pages: 20, pictureBytes: 196_608 },
} satisfies Record<string, BenchSource>;

export function makeSource({ pages, pictureBytes }: BenchSource): Uint8Array {
  const parts: Uint8Array[] = [];
  const offsets: number[] = [];
  let length = 0;
  const put = (bytes: Uint8Array) => {
    parts.push(bytes);
    length += bytes.length;
  };
  const text = (value: string) => put(Buffer.from(value, 'latin1'));
  const object = (num: number, head: string, stream?: Uint8Array) => {
    offsets[num] = length;
    text(`${num} 0 obj\n${head}\n`);
    if (stream !== undefined) {
      text('stream\n');
      put(stream);
      text('\nendstream\n');
    }
    text('endobj\n');
  };

  text('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
  const first = 4;
  const kids = Array.from({ length: pages }, (_, index) => `${first + index * 3} 0 R`).join(' ');
  object(1, '<</Type/Catalog/Pages 2 0 R>>');
  object(2, `<</Type/Pages/Count ${pages}/Kids[${kids}]/MediaBox[0 0 595 842]>>`);
  object(3, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');
  const width = 240;
  const height = Math.floor(pictureBytes / 3 / width);
  for (let page = 0; page < pages; page += 1) {
    const num = first + page * 3;
    const content = Buffer.from(pageContent(page + 1), 'latin1');
    object(
      num,
      `<</Type/Page/Parent 2 0 R/Contents ${num + 1} 0 R/Resources<</Font<</F1 3 0 R>>/XObject<</P ${num + 2} 0 R>>>>>>`,
    );
    object(num + 1, `<</Length ${content.length}>>`, content);
    const picture = noise(width * height * 3, page + 1);
    object(
      num + 2,
      `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Length ${picture.length}>>`,
      picture,
    );
  }
  const count = first + pages * 3;
  const startxref = length;
  text(`xref\n0 ${count}\n0000000000 65535 f \n`);
  for (let num = 1; num < count; num += 1) text(`${String(offsets[num]).padStart(10, '0')} 00000 n \n`);
  text(`trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${startxref}\n%%EOF\n`);
  return Buffer.concat(parts);
}

function pageContent(page: number): string {
  const lines = [
    `q 240 0 0 160 300 60 cm /P Do Q`,
    'BT /F1 20 Tf 72 780 Td (Certificate of attendance) Tj ET',
  ];
  for (let line = 0; line < 40; line += 1) {
    lines.push(
      `BT /F1 9 Tf 72 ${560 - line * 12} Td (Page ${page}, line ${line + 1}: terms and conditions apply.) Tj ET`,
    );
  }
  return lines.join('\n');
}

/** Generates the same noise on every machine (xorshift32). */
function noise(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed * 2_654_435_761;
  for (let at = 0; at < length; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state & 0xff;
  }
  return bytes;
}

/** Five texts and a QR code on page 1. */
export const LAYOUT = {
  format: 'rowpress.layout',
  version: 1,
  columns: [0, 1, 2, 3, 4, 5].map((column) => ({ key: `column_${column}`, label: `Column ${column}` })),
  overlays: [
    ...[0, 1, 2, 3, 4].map((column) => ({
      id: `text${column}`,
      type: 'text',
      page: 1,
      x: 72,
      y: 100 + column * 24,
      width: 300,
      height: 20,
      size: 12,
      value: { column: `column_${column}` },
    })),
    { id: 'qr', type: 'qr', page: 1, x: 430, y: 96, width: 90, height: 90, value: { column: 'column_5' } },
  ],
};

export function rowCells(row: number): string[] {
  return [
    `Person Number ${row}`,
    `${row} Example Street, Zürich`,
    `person${row}@example.test`,
    `Reference ${row * 7919}`,
    `Seat ${row % 500}, Row ${row % 40}`,
    `https://example.test/check/${row * 104_729}`,
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? '.';
  mkdirSync(folder, { recursive: true });
  for (const [name, source] of Object.entries(SOURCES)) {
    writeFileSync(path.join(folder, `${name}.pdf`), makeSource(source));
  }
  writeFileSync(path.join(folder, 'layout.json'), JSON.stringify(LAYOUT, null, 2));
  for (const count of [1000, 10_000, 50_000, 100_000]) {
    const lines = Array.from({ length: count }, (_, row) =>
      rowCells(row + 1)
        .map((cell) => `"${cell}"`)
        .join(','),
    );
    writeFileSync(path.join(folder, `rows-${count}.csv`), `${lines.join('\n')}\n`);
  }
}
