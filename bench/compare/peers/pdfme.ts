/** pdfme with the form as the base PDF and a text at each field, one call per row, because one call gives one PDF. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Template } from '@pdfme/common';
import { generate } from '@pdfme/generator';
import { text } from '@pdfme/schemas';
import { FIELDS, HEIGHT, LEFT, PAGE_HEIGHT, topOf, WIDTH } from '../make-task.ts';
import { form, output, rows } from './rows.ts';

/** pdfme measures in millimetres from the top left corner. */
const mm = (points: number): number => (points * 25.4) / 72;
const template: Template = {
  basePdf: `data:application/pdf;base64,${form.toString('base64')}`,
  schemas: [
    FIELDS.map((name, index) => ({
      name,
      type: 'text',
      position: { x: mm(LEFT), y: mm(PAGE_HEIGHT - topOf(index)) },
      width: mm(WIDTH),
      height: mm(HEIGHT),
      fontSize: 11,
    })),
  ],
};
for (const [row, cells] of rows.entries()) {
  const inputs = [Object.fromEntries(FIELDS.map((name, index) => [name, cells[index] ?? '']))];
  writeFileSync(path.join(output, `${row + 1}.pdf`), await generate({ template, inputs, plugins: { text } }));
}
