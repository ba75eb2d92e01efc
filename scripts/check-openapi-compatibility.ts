/**
 * Compares docs/openapi.json with the document of the last release, docs/releases/openapi.json, which scripts/release.ts writes. Fails
 * if a change breaks clients and CHANGELOG.md does not name the operation below "Unreleased" / "### Breaking", as in `createTag`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { breakingChanges, type Document } from './compatibility/document-changes.ts';
import { undeclaredChanges } from './compatibility/undeclared-changes.ts';

const [released = 'docs/releases/openapi.json', present = 'docs/openapi.json', changelog = 'CHANGELOG.md'] =
  process.argv.slice(2);
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Document;

if (!existsSync(released)) console.log('There is no release to compare with.');
else {
  const changes = breakingChanges(read(released), read(present));
  const undeclared = undeclaredChanges(changes, readFileSync(changelog, 'utf8'));
  for (const { subject, change } of undeclared) console.error(`${subject}: ${change}`);
  console.log(`${changes.length} breaking changes, ${undeclared.length} not declared in ${changelog}`);
  if (undeclared.length > 0) process.exitCode = 1;
}
