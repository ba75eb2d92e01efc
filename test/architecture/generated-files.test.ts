import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settings } from '#config/settings.ts';
import { errorJson, errorTable } from '../../scripts/error-table.ts';
import { openapiDocument } from '../../scripts/openapi-document.ts';
import { pythonErrorTable } from '../../scripts/python-error-table.ts';
import { roleTable } from '../../scripts/role-table.ts';
import { SECTIONS, settingsTable } from '../../scripts/settings-table.ts';

test('docs/errors.json: matches the catalogue (node scripts/generate-error-table.ts)', () => {
  expect(readFileSync('docs/errors.json', 'utf8')).toBe(errorJson());
});

test('[SDK63] the retry table of the Python client: matches docs/errors.json (node scripts/generate-python-error-table.ts)', () => {
  expect(readFileSync('clients/python/rowpress/error_table.py', 'utf8')).toBe(pythonErrorTable());
});

test('docs/errors.md: matches the catalogue (node scripts/generate-error-table.ts)', () => {
  expect(readFileSync('docs/errors.md', 'utf8')).toBe(errorTable());
});

test('[PPL2] docs/roles.md: matches the routes of the operator API (node scripts/generate-role-table.ts)', async () => {
  expect(readFileSync('docs/roles.md', 'utf8')).toBe(await roleTable());
});

test('docs/settings.md: matches the settings, each listed once (node scripts/generate-settings.ts)', () => {
  expect(SECTIONS.flatMap(([, names]) => names).sort()).toEqual(Object.keys(settings).sort());
  expect(readFileSync('docs/settings.md', 'utf8')).toBe(settingsTable());
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

test('[SDK18] the generated sources of the client: are current (node clients/typescript/generate.ts)', () => {
  const { status, stderr } = spawnSync(process.execPath, ['clients/typescript/generate.ts', '--check'], {
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
});
