import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { Place } from './place.ts';
import type { RunUser } from './run-user.ts';

/**
 * Creates a 0700 directory that belongs to the database user. Returns false if something else has the name. Existing
 * entries are checked with lstat and changed only if they are ours: in a shared directory such as /tmp another user may
 * have placed a link, and root would give its target away by following it.
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

/**
 * Directory of the Unix socket: 0700 and owned by the database user, so that other users do not reach the password
 * prompt. It is `run/` beside the cluster, or a short path in /tmp if that is too long for a socket address (`sun_path`
 * holds 108 bytes on Linux and 104 on macOS, with the trailing zero).
 */
const MAX_SOCKET_PATH = process.platform === 'linux' ? 107 : 103;
const SOCKET_NAME = '.s.PGSQL.5432';

export function takeSocketDirectory({ directory, user }: Place): string {
  const beside = join(directory, 'run');
  const short = createHash('sha256').update(directory).digest('hex').slice(0, 12);
  const path = fits(beside) ? beside : join('/tmp', `rowpress-${user.uid}-${short}`);
  if (!takeOwnedDirectory(path, user))
    throw new OperatorError(
      `The socket directory ${path} of the database belongs to another user. Remove it, or set a shorter ROWPRESS_DATA_DIR.`,
    );
  return path;
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, SOCKET_NAME)) <= MAX_SOCKET_PATH;
}
