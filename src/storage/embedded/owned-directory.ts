import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs';
import type { RunUser } from './run-user.ts';

/**
 * Makes a 0700 directory that belongs to the database's user; false if the name is taken by something else.
 * What exists is judged with lstat and never handed over unless it is ours: in a shared directory like /tmp
 * another user may have put a link there first, and root following it would give that target away.
 */
export function takeOwnedDirectory(path: string, user: RunUser): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
  }
  const found = lstatSync(path);
  if (!found.isDirectory()) return false;
  if (found.uid !== user.uid) {
    if (found.uid !== process.getuid?.()) return false;
    try {
      chownSync(path, user.uid, user.gid);
    } catch {
      return false; // a mount that refuses chown
    }
  }
  if ((found.mode & 0o777) !== 0o700) chmodSync(path, 0o700);
  return true;
}
