/**
 * Fails if `src`, `web/src` or `migrations` changed since the last release and CHANGELOG.md has no entry below "Unreleased".
 * Without a release, everything counts as changed.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hasEntries, sectionOf } from './changelog.ts';

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

function lastRelease(): string | undefined {
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*');
  } catch {
    return undefined;
  }
}

const release = lastRelease();
const product = ['src', 'web/src', 'migrations', ':!*.test.ts'];
const changed = release === undefined ? 'everything' : git('diff', '--name-only', release, '--', ...product);
if (changed !== '' && !hasEntries(sectionOf(readFileSync('CHANGELOG.md', 'utf8')) ?? '')) {
  console.error(
    `CHANGELOG.md has no entry below "Unreleased", but since ${release ?? 'the beginning'} these changed:\n${changed}`,
  );
  process.exitCode = 1;
}
