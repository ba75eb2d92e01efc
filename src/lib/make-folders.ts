import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents if they do not exist. Returns the first that was missing. The recursive `mkdir` of Node never returns if
 * the system reports that the parent does not exist (below /proc).
 */
export function makeFolders(folder: string, mode = 0o777): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return undefined;
  if (found !== undefined) throw notAFolder(folder);
  const first = makeFolders(dirname(folder), mode) ?? folder;
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    // Another process created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return first;
}

/** The error of the system call. */
function notAFolder(path: string): NodeJS.ErrnoException {
  const error = new Error(`ENOTDIR: not a directory, mkdir '${path}'`);
  return Object.assign(error, { code: 'ENOTDIR', syscall: 'mkdir', path });
}
