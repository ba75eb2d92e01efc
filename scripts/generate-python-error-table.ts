/** Writes the retry table of the Python client from docs/errors.json. `--check` only compares. */
import { writeOrCheck } from './generated-file.ts';
import { pythonErrorTable } from './python-error-table.ts';

writeOrCheck(
  'clients/python/rowpress/error_table.py',
  pythonErrorTable(),
  'node scripts/generate-python-error-table.ts',
);
