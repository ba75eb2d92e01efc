/** pdftk (Debian package pdftk-java), which starts once per row with a file of field values. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { FIELDS } from '../make-task.ts';
import { folder, output, rows } from './rows.ts';

for (const [row, cells] of rows.entries()) {
  const values = FIELDS.map((name, index) => `<< /T (${name}) /V (${cells[index] ?? ''}) >>`).join(' ');
  const fdf = `%FDF-1.2\n1 0 obj << /FDF << /Fields [${values}] >> >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n`;
  const file = path.join(folder, 'values.fdf');
  writeFileSync(file, fdf);
  const made = path.join(output, `${row + 1}.pdf`);
  execFileSync('pdftk', [path.join(folder, 'form.pdf'), 'fill_form', file, 'output', made, 'flatten']);
}
