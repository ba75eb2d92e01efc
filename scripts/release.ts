/**
 * Makes a release:
 *
 *   node scripts/release.ts 0.2.0 [--dry-run]   sets the version, dates the changelog, commits, tags and writes the files
 *   node scripts/release.ts --files             writes only the files, from the commit of a release (the workflow does)
 *
 * It publishes nothing. Push the tag, and .github/workflows/release.yml publishes the package and the image.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasedChangelog } from './changelog.ts';
import { releaseFolder, writeReleaseFiles } from './release-files.ts';
import { lockWithVersion, releaseObjections, withVersion } from './release-version.ts';

const say = (text: string) => console.error(`release: ${text}`);
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
const run = (script: string) => execFileSync(process.execPath, [script], { stdio: 'inherit' });
const root = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string; workspaces?: string[] };
/** The module that the Python client's build reads its version from. */
const PYTHON_VERSION = 'clients/python/rowpress/version.py';

const args = process.argv.slice(2);
const [version = ''] = args.filter((arg) => !arg.startsWith('--'));
if (args.includes('--files')) say(`wrote ${writeReleaseFiles(root.version)}`);
else release(version, args.includes('--dry-run'));

function release(version: string, isDry: boolean): void {
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const objections = releaseObjections({
    version,
    present: root.version,
    tags: git('tag').split('\n'),
    changedFiles: git('status', '--porcelain'),
    changelog,
  });
  for (const objection of objections) say(objection);
  if (objections.length > 0) process.exit(1);
  // Workspaces with their own version keep it.
  const workspaces = (root.workspaces ?? []).filter(
    (path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')).version === root.version,
  );
  if (isDry) {
    say(
      `would set ${version} in package.json, package-lock.json, ${[...workspaces, PYTHON_VERSION].join(', ')}`,
    );
    say(
      'would date the changelog, and remake docs/openapi.json, docs/releases/openapi.json and the export of this release',
    );
    say(`would commit, tag v${version} and write ${releaseFolder(version)}`);
    return;
  }
  for (const path of ['package.json', ...workspaces.map((path) => join(path, 'package.json'))])
    writeFileSync(path, withVersion(readFileSync(path, 'utf8'), version));
  writeFileSync(PYTHON_VERSION, `VERSION = "${version}"\n`);
  const lock = readFileSync('package-lock.json', 'utf8');
  writeFileSync('package-lock.json', lockWithVersion(lock, version, workspaces));
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync('CHANGELOG.md', releasedChangelog(changelog, version, today));
  run('scripts/generate-openapi.ts');
  // Later changes of the API are compared with this document.
  mkdirSync('docs/releases', { recursive: true });
  copyFileSync('docs/openapi.json', 'docs/releases/openapi.json');
  run('scripts/make-export-fixture.ts');
  git('add', '--all');
  git('commit', '--quiet', '--message', `chore(release): ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Rowpress ${version}`);
  say(`committed and tagged v${version}`);
  say(`wrote ${writeReleaseFiles(version)}`);
  say(`next: git push --follow-tags origin HEAD`);
}
