import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';

/** The five fields of the form, with the column that fills each of them. */
export const FIELDS = ['name', 'street', 'town', 'number', 'date'] as const;
export const LEFT = 150;
export const WIDTH = 300;
export const HEIGHT = 20;
/** Distance of the top edge of field `index` from the bottom of the A4 page, in points. */
export const topOf = (index: number): number => 700 - index * 40;
export const PAGE_HEIGHT = 842;

/** Writes `form.pdf`, a page with five text fields, and `rows.csv`. */
export async function makeTask(folder: string, rows: number): Promise<void> {
  const document = await PDFDocument.create();
  const page = document.addPage([595, PAGE_HEIGHT]);
  const font = await document.embedFont(StandardFonts.Helvetica);
  const form = document.getForm();
  for (const [index, name] of FIELDS.entries()) {
    page.drawText(name, { x: 60, y: topOf(index) - 15, size: 11, font });
    const field = form.createTextField(name);
    field.addToPage(page, { x: LEFT, y: topOf(index) - HEIGHT, width: WIDTH, height: HEIGHT, font });
    field.setFontSize(11);
  }
  writeFileSync(path.join(folder, 'form.pdf'), await document.save({ useObjectStreams: false }));
  const lines = Array.from({ length: rows }, (_, row) =>
    [`Person ${row + 1}`, `${row + 1} Main Street`, 'Springfield', `2026-${row + 1}`, '2026-11-18'].join(','),
  );
  writeFileSync(path.join(folder, 'rows.csv'), `${lines.join('\n')}\n`);
}
