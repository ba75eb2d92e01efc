/** The checks and the changes of a release that need only texts. */
import { changelogProblems, hasEntries, sectionOf } from './changelog.ts';

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

export interface ReleaseState {
  readonly version: string;
  /** The version in package.json. */
  readonly present: string;
  /** Names of all tags, such as `v0.1.0`. */
  readonly tags: readonly string[];
  /** What `git status --porcelain` prints. */
  readonly changedFiles: string;
  readonly changelog: string;
}

/** Returns every reason why this release cannot be made. */
export function releaseObjections({
  version,
  present,
  tags,
  changedFiles,
  changelog,
}: ReleaseState): string[] {
  const objections: string[] = [];
  if (!VERSION.test(version)) objections.push(`The version must be X.Y.Z; received "${version}".`);
  else if (tags.includes(`v${version}`)) objections.push(`The tag v${version} exists already.`);
  // The first release has the version that package.json started with.
  else if (isBefore(version, present))
    objections.push(`The version must not be before ${present}; received ${version}.`);
  if (changedFiles !== '')
    objections.push(`The working tree has changes that are not committed:\n${changedFiles}`);
  for (const problem of changelogProblems(changelog)) objections.push(`CHANGELOG.md, ${problem}.`);
  if (!hasEntries(sectionOf(changelog) ?? ''))
    objections.push('CHANGELOG.md has no entry below "Unreleased".');
  return objections;
}

function isBefore(one: string, other: string): boolean {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number)) as [number[], number[]];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at !== -1 && (left[at] ?? 0) < (right[at] ?? 0);
}

/** Sets the version of a package.json and leaves everything else as it is. */
export function withVersion(packageJson: string, version: string): string {
  return packageJson.replace(/^( {2}"version": )"[^"]*"/m, `$1"${version}"`);
}

/** Sets the version of the root and of these workspaces in a package-lock.json. */
export function lockWithVersion(lock: string, version: string, workspaces: readonly string[]): string {
  const content = JSON.parse(lock) as { version: string; packages: Record<string, { version?: string }> };
  content.version = version;
  for (const path of ['', ...workspaces]) {
    const entry = content.packages[path];
    if (entry !== undefined) entry.version = version;
  }
  return `${JSON.stringify(content, null, 2)}\n`;
}
