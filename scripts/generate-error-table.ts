/** Writes docs/errors.md from the error catalogue. `--check` only compares. */
import { errorTable } from './error-table.ts';
import { writeOrCheck } from './generated-file.ts';

writeOrCheck('docs/errors.md', errorTable(), 'node scripts/generate-error-table.ts');
