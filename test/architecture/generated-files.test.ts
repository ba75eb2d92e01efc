import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorTable } from '../../scripts/error-table.ts';
import { openapiDocument } from '../../scripts/openapi-document.ts';

test('docs/errors.md: matches the catalogue (node scripts/generate-error-table.ts)', () => {
  expect(readFileSync('docs/errors.md', 'utf8')).toBe(errorTable());
});

test('docs/openapi.json: is the document that the server serves (node scripts/generate-openapi.ts)', async () => {
  expect(readFileSync('docs/openapi.json', 'utf8')).toBe(await openapiDocument());
});

test('src/storage/db-types.ts: matches the migrated schema (node scripts/generate-db-types.ts)', () => {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ['scripts/generate-db-types.ts', '--check'],
    {
      encoding: 'utf8',
    },
  );
  expect(status, stdout + stderr).toBe(0);
});
