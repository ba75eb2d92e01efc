import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { takeOwnedDirectory } from './owned-directory.ts';
import type { Place } from './place.ts';

/**
 * The directory of the unix socket: 0700 and owned by the database's user, so that other users do not even reach the
 * password prompt. `run/` beside the cluster is best; where its path is too long for a socket address
 * (`sun_path` holds 108 bytes on Linux and 104 on macOS, with the closing zero), a short one in /tmp is taken.
 */
const MAX_SOCKET_PATH = process.platform === 'linux' ? 107 : 103;
const SOCKET_NAME = '.s.PGSQL.5432';

export function takeSocketDirectory({ directory, user }: Place): string {
  const beside = join(directory, 'run');
  const short = createHash('sha256').update(directory).digest('hex').slice(0, 12);
  const path = fits(beside) ? beside : join('/tmp', `rowpress-${user.uid}-${short}`);
  if (!takeOwnedDirectory(path, user))
    throw new OperatorError(
      `${path} is needed for the database's socket but belongs to somebody else. Remove it, or choose a shorter ROWPRESS_DATA_DIR.`,
    );
  return path;
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, SOCKET_NAME)) <= MAX_SOCKET_PATH;
}
