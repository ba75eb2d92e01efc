import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { makeFolders } from '#lib/make-folders.ts';

/**
 * Makes the data directory if it is missing and proves that we can write there.
 *
 * Mode: nobody else needs to list it (secrets inside are 0600 anyway). Started by root, the embedded database
 * runs as another user who must be able to pass through, hence 0711 there and 0700 otherwise; a umask must not
 * take that away, so the mode is set again after mkdir. An existing directory keeps its mode.
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
      `The data directory ${dataDir} cannot be written (${(error as Error).message}). ` +
        'Give this user access to it, or name another one in ROWPRESS_DATA_DIR.',
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
 * Started by root, the data directory can be entered by others, because the database's user must pass. Everything in it but
 * the database is closed to them: the children that read uploads run as a user of their own.
 */
export function closeFolders(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== 'postgres') chmodSync(join(dataDir, entry.name), 0o700);
  }
}

/** Whether the path exists, whatever it is. */
export function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
