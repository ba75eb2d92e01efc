/**
 * Draws the sample that a new user can try without their own file: a certificate on A4 landscape, its layout and five
 * rows, in web/public/sample. Run it manually when the sample changes; the files are committed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Color,
  LineCapStyle,
  PDFDocument,
  type PDFFont,
  type PDFPage,
  rgb,
  StandardFonts,
} from '@cantoo/pdf-lib';
import { layoutSchema } from '#fill/package/layout-schema.ts';

const WIDTH = 841.89;
const HEIGHT = 595.28;
const MIDDLE = WIDTH / 2;
const gold = rgb(0.69, 0.55, 0.27);
const paleGold = rgb(0.86, 0.78, 0.6);
const navy = rgb(0.09, 0.15, 0.27);
const grey = rgb(0.42, 0.45, 0.5);

const folder = join(import.meta.dirname, '../web/public/sample');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'certificate.pdf'), await certificate());
writeFileSync(join(folder, 'layout.json'), `${JSON.stringify(layoutSchema.parse(layout()), null, 2)}\n`);
writeFileSync(join(folder, 'participants.csv'), participants());

async function certificate(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  // A fixed date, so that the script always writes the same file.
  const drawnAt = new Date('2026-01-01T00:00:00Z');
  pdf.setTitle('Certificate of Completion');
  pdf.setCreationDate(drawnAt);
  pdf.setModificationDate(drawnAt);
  const page = pdf.addPage([WIDTH, HEIGHT]);
  const serif = await pdf.embedFont(StandardFonts.TimesRoman);
  const italic = await pdf.embedFont(StandardFonts.TimesRomanItalic);
  const sans = await pdf.embedFont(StandardFonts.Helvetica);
  page.drawRectangle({ x: 0, y: 0, width: WIDTH, height: HEIGHT, color: rgb(0.995, 0.99, 0.975) });
  frame(page);
  rosette(page, MIDDLE, HEIGHT - 98, 34);

  spaced(page, 'CERTIFICATE', { y: HEIGHT - 186, size: 40, font: serif, color: navy, spacing: 9 });
  spaced(page, 'OF COMPLETION', { y: HEIGHT - 212, size: 12, font: sans, color: gold, spacing: 5 });
  centred(page, 'This is to certify that', { y: HEIGHT - 256, size: 14, font: italic, color: grey });
  rule(page, MIDDLE - 210, MIDDLE + 210, HEIGHT - 314);
  centred(page, 'has successfully completed the course', {
    y: HEIGHT - 344,
    size: 14,
    font: italic,
    color: grey,
  });

  rule(page, 96, 266, 116);
  label(page, sans, 'DATE', 181, 100);
  rule(page, MIDDLE - 100, MIDDLE + 100, 116);
  label(page, sans, 'INSTRUCTOR', MIDDLE, 100);
  label(page, sans, 'SCAN TO VERIFY', 686, 78);
  return pdf.save({ useObjectStreams: false });
}

/** Draws two rules with an interlaced border between them, and a leaf in each corner. */
function frame(page: PDFPage): void {
  const box = (inset: number, thickness: number, color: Color) =>
    page.drawRectangle({
      x: inset,
      y: inset,
      width: WIDTH - 2 * inset,
      height: HEIGHT - 2 * inset,
      borderColor: color,
      borderWidth: thickness,
    });
  box(22, 1.4, gold);
  box(38, 0.6, gold);
  for (const phase of [0, Math.PI / 2, Math.PI]) waveAround(page, 30, 5.2, 14, phase);
  for (const [x, y, turnX, turnY] of [
    [38, 38, 1, 1],
    [WIDTH - 38, 38, -1, 1],
    [38, HEIGHT - 38, 1, -1],
    [WIDTH - 38, HEIGHT - 38, -1, -1],
  ] as const) {
    for (const radius of [16, 22, 28]) corner(page, x, y, turnX * radius, turnY * radius);
  }
}

/** Draws a sine along each side of the frame. */
function waveAround(page: PDFPage, inset: number, swing: number, length: number, phase: number): void {
  const side = (from: [number, number], along: [number, number], total: number) => {
    const waves = Math.round(total / length);
    let path = '';
    for (let step = 0; step <= waves * 12; step += 1) {
      const at = (step / (waves * 12)) * total;
      const off = swing * Math.sin((at / total) * waves * 2 * Math.PI + phase);
      const x = from[0] + along[0] * at - along[1] * off;
      const y = from[1] + along[1] * at + along[0] * off;
      path += `${step === 0 ? 'M' : 'L'} ${x.toFixed(2)} ${y.toFixed(2)} `;
    }
    stroke(page, path, paleGold, 0.45);
  };
  side([inset, inset], [1, 0], WIDTH - 2 * inset);
  side([inset, HEIGHT - inset], [1, 0], WIDTH - 2 * inset);
  side([inset, inset], [0, 1], HEIGHT - 2 * inset);
  side([WIDTH - inset, inset], [0, 1], HEIGHT - 2 * inset);
}

function corner(page: PDFPage, x: number, y: number, dx: number, dy: number): void {
  stroke(page, `M ${x + dx} ${y} Q ${x + dx} ${y + dy} ${x} ${y + dy}`, gold, 0.6);
}

/** Draws a guilloche: epitrochoids around a circle, as on banknotes. */
function rosette(page: PDFPage, x: number, y: number, radius: number): void {
  for (const [petals, depth, size] of [
    [12, 0.22, 1],
    [12, -0.22, 1],
    [18, 0.16, 0.72],
    [18, -0.16, 0.72],
    [24, 0.2, 0.46],
  ] as const) {
    let path = '';
    for (let step = 0; step <= 720; step += 1) {
      const angle = (step / 720) * 2 * Math.PI;
      const reach = radius * size * (1 - Math.abs(depth) + depth * Math.cos(petals * angle));
      const swirl = angle + 0.12 * Math.sin(petals * angle);
      path += `${step === 0 ? 'M' : 'L'} ${(x + reach * Math.cos(swirl)).toFixed(2)} ${(y + reach * Math.sin(swirl)).toFixed(2)} `;
    }
    stroke(page, `${path}Z`, gold, 0.5);
  }
  page.drawCircle({ x, y, size: radius * 0.2, color: gold });
}

/** Strokes a path. Paths have y upwards, as on the page; the library expects y downwards. */
function stroke(page: PDFPage, path: string, color: Color, width: number): void {
  const flipped = path.replaceAll(
    /(-?[\d.]+) (-?[\d.]+)/g,
    (_, x: string, y: string) => `${x} ${HEIGHT - Number(y)}`,
  );
  page.drawSvgPath(flipped, {
    x: 0,
    y: HEIGHT,
    borderColor: color,
    borderWidth: width,
    borderLineCap: LineCapStyle.Round,
  });
}

function rule(page: PDFPage, from: number, to: number, y: number): void {
  page.drawLine({ start: { x: from, y }, end: { x: to, y }, thickness: 0.7, color: gold });
}

interface Typeset {
  readonly y: number;
  readonly size: number;
  readonly font: PDFFont;
  readonly color: Color;
}

function centred(page: PDFPage, text: string, { y, size, font, color }: Typeset): void {
  page.drawText(text, { x: MIDDLE - font.widthOfTextAtSize(text, size) / 2, y, size, font, color });
}

/** Draws spaced letters, centred. */
function spaced(
  page: PDFPage,
  text: string,
  { y, size, font, color, spacing }: Typeset & { spacing: number },
): void {
  const widths = [...text].map((letter) => font.widthOfTextAtSize(letter, size));
  const total = widths.reduce((sum, width) => sum + width + spacing, -spacing);
  let x = MIDDLE - total / 2;
  for (const [index, letter] of [...text].entries()) {
    page.drawText(letter, { x, y, size, font, color });
    x += (widths[index] ?? 0) + spacing;
  }
}

function label(page: PDFPage, font: PDFFont, text: string, middle: number, y: number): void {
  const size = 7.5;
  const spacing = 1.2;
  const widths = [...text].map((letter) => font.widthOfTextAtSize(letter, size));
  let x = middle - widths.reduce((sum, width) => sum + width + spacing, -spacing) / 2;
  for (const [index, letter] of [...text].entries()) {
    page.drawText(letter, { x, y, size, font, color: grey });
    x += (widths[index] ?? 0) + spacing;
  }
}

function layout(): object {
  const centre = { page: 1, align: 'center', valign: 'bottom' };
  return {
    format: 'rowpress.layout',
    version: 1,
    name: 'Certificate',
    columns: ['Name', 'Course', 'Completed on', 'Instructor', 'Certificate no.'].map((text, index) => ({
      key: `column_${index}`,
      label: text,
    })),
    overlays: [
      {
        ...centre,
        id: 'text_1',
        type: 'text',
        x: MIDDLE - 210,
        y: 266,
        width: 420,
        height: 46,
        value: { column: 'column_0' },
        font: 'serif',
        italic: true,
        size: 36,
        color: '#17263f',
      },
      {
        ...centre,
        id: 'text_2',
        type: 'text',
        x: MIDDLE - 230,
        y: 262 + 104,
        width: 460,
        height: 32,
        value: { column: 'column_1' },
        font: 'serif',
        bold: true,
        size: 22,
        color: '#17263f',
      },
      {
        ...centre,
        id: 'date_1',
        type: 'date',
        x: 96,
        y: 456,
        width: 170,
        height: 20,
        value: { column: 'column_2' },
        format: { date: 'D MMMM YYYY' },
        font: 'serif',
        size: 13,
        color: '#17263f',
      },
      {
        ...centre,
        id: 'text_3',
        type: 'text',
        x: MIDDLE - 100,
        y: 456,
        width: 200,
        height: 20,
        value: { column: 'column_3' },
        font: 'serif',
        italic: true,
        size: 14,
        color: '#17263f',
      },
      {
        id: 'qr_1',
        type: 'qr',
        page: 1,
        x: 650,
        y: 428,
        width: 72,
        height: 72,
        value: { template: 'https://example.org/verify/{{column_4}}' },
        color: '#17263f',
      },
      {
        ...centre,
        id: 'text_4',
        type: 'text',
        x: 616,
        y: 520,
        width: 140,
        height: 14,
        value: { template: 'No. {{column_4}}' },
        size: 8.5,
        color: '#4b5563',
      },
    ],
    form_fields: [],
  };
}

function participants(): string {
  return [
    'Name,Course,Completed on,Instructor,Certificate no.',
    'Ada Lovelace,Notes on the Analytical Engine,2026-03-14,C. Babbage,RP-2026-0001',
    'Grace Hopper,Compilers from First Principles,2026-03-14,H. Aiken,RP-2026-0002',
    'Kurt Gödel,"Logic, Proof and Its Limits",2026-04-02,H. Hahn,RP-2026-0003',
    'Sofya Vasilyevna Kovalevskaya,Partial Differential Equations,2026-04-02,K. Weierstrass,RP-2026-0004',
    'Srinivasa Ramanujan,Infinite Series and Continued Fractions,2026-05-20,G. H. Hardy,RP-2026-0005',
    '',
  ].join('\r\n');
}
