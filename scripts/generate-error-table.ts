/** Writes docs/errors.md and docs/errors.json from the error catalogue. `--check` only compares. */
import { errorJson, errorTable } from './error-table.ts';
import { writeOrCheck } from './generated-file.ts';

writeOrCheck('docs/errors.md', errorTable(), 'node scripts/generate-error-table.ts');
writeOrCheck('docs/errors.json', errorJson(), 'node scripts/generate-error-table.ts');
