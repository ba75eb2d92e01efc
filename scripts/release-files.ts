/** Writes the files of a release into a folder: the package, its bill of materials, the notes and checksums. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sectionOf } from './changelog.ts';
import { makeSbom } from './release-sbom.ts';

export const releaseFolder = (version: string): string => join('release', version);

export function writeReleaseFiles(version: string): string {
  const notes = sectionOf(readFileSync('CHANGELOG.md', 'utf8'), version);
  if (notes === null) throw new Error(`CHANGELOG.md has no section for ${version}`);
  const folder = releaseFolder(version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(join(folder, `rowpress-${version}.cdx.json`), makeSbom());
  writeFileSync(join(folder, 'openapi.json'), readFileSync('docs/openapi.json'));
  writeFileSync(join(folder, 'NOTES.md'), `${notes}\n`);
  // `sha256sum --check SHA256SUMS` reads this form.
  const sums = readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  return folder;
}
