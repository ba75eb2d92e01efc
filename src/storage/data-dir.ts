import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { makeFolders } from '#lib/make-folders.ts';

/**
 * Creates the data directory if it is missing and checks that it is writable.
 *
 * Mode: 0700, because no other user needs to list it (secrets inside are 0600 anyway). When root starts the server, the
 * embedded database runs as another user that must traverse the directory, hence 0711. A umask could remove bits, so
 * the mode is set again after mkdir. An existing directory keeps its mode.
 */
export function ensureDataDir(dataDir: string): void {
  try {
    const first = makeFolders(dataDir);
    if (first !== undefined) setModes(first, dataDir);
    const probe = join(dataDir, `.probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe, { force: true });
  } catch (error) {
    throw new OperatorError(
      `The data directory ${dataDir} is not writable (${(error as Error).message}). ` +
        'Give this user write access, or set ROWPRESS_DATA_DIR to another directory.',
    );
  }
}

function setModes(first: string, last: string): void {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  for (let dir = last; ; dir = dirname(dir)) {
    chmodSync(dir, mode);
    if (dir === first || dir === dirname(dir)) return;
  }
}

/**
 * Makes every folder in the data directory private, except the database. When root starts the server, other users can
 * enter the data directory because the database user must traverse it, and the child processes that read uploads run as
 * their own user.
 */
export function closeFolders(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== 'postgres') chmodSync(join(dataDir, entry.name), 0o700);
  }
}

/** Reports whether the path exists, as a file, a directory or anything else. */
export function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
