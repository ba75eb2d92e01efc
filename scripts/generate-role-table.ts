/** Writes docs/roles.md from the routes of the operator API. `--check` only compares. */
import { writeOrCheck } from './generated-file.ts';
import { roleTable } from './role-table.ts';

writeOrCheck('docs/roles.md', await roleTable(), 'node scripts/generate-role-table.ts');
