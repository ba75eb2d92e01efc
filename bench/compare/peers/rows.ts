import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder with the task and how many of its rows to fill, from the command line. */
export const folder = process.argv[2] ?? '.';
const count = Number(process.argv[3] ?? 1);
export const form = readFileSync(path.join(folder, 'form.pdf'));
export const rows = readFileSync(path.join(folder, 'rows.csv'), 'utf8')
  .split('\n', count)
  .map((line) => line.split(','));
export const output = path.join(folder, 'out');
mkdirSync(output, { recursive: true });
