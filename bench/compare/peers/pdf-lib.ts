/** A pdf-lib script as most people write it: load, fill, flatten and save for every row. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { FIELDS } from '../make-task.ts';
import { form, output, rows } from './rows.ts';

for (const [row, cells] of rows.entries()) {
  const document = await PDFDocument.load(form);
  const fields = document.getForm();
  for (const [index, name] of FIELDS.entries()) fields.getTextField(name).setText(cells[index] ?? '');
  fields.flatten();
  writeFileSync(path.join(output, `${row + 1}.pdf`), await document.save());
}
