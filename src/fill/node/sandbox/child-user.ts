import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { programRoots } from './file-view.ts';

/**
 * The user and group of children that root starts. The number has no entry in the user database and owns nothing. It is
 * neither the database's user nor `nobody`, which other programs on the machine use.
 */
const CHILD_ID = 64_207;

export const isRoot = (): boolean => process.getuid?.() === 0;

const NO_CAPABILITIES = ['--inh-caps=-all', '--bounding-set=-all'];

/** Drops all rights permanently: no program can regain a capability. */
export function dropArguments(setpriv: string, toChildUser: boolean): string[] {
  const user = [`--reuid=${CHILD_ID}`, `--regid=${CHILD_ID}`, '--clear-groups'];
  const capabilities = isRoot() ? NO_CAPABILITIES : [];
  return [setpriv, ...(toChildUser ? user : []), ...capabilities, '--no-new-privs', '--'];
}

/** For the first process of a user namespace, which is root in it. Without capabilities, it has no power there. */
export function dropCapabilities(setpriv: string): string[] {
  return [setpriv, ...NO_CAPABILITIES, '--no-new-privs', '--'];
}

/** Returns whether that user can read the program and, with `withParents`, enter the folders above it. */
export function isReadableForAll(script: string, withParents: boolean): boolean {
  return [...programRoots(), realpathSync(script), realpathSync(process.execPath)].every((file) => {
    const { mode } = statSync(file);
    const open = statSync(file).isDirectory() ? 0o005 : 0o004;
    return (mode & open) === open && (!withParents || parentsOf(file).every(isPassable));
  });
}

function isPassable(folder: string): boolean {
  return (statSync(folder).mode & 0o001) !== 0;
}

function parentsOf(file: string): string[] {
  const parent = path.dirname(file);
  return parent === file ? [] : [parent, ...parentsOf(parent)];
}
