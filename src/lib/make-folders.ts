import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder with its parents, unless it is there; returns the first that was missing. Node's own recursive `mkdir` never
 * returns where the system denies that its parent exists (below /proc).
 */
export function makeFolders(folder: string, mode = 0o777): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return undefined;
  if (found !== undefined) throw notAFolder(folder);
  const first = makeFolders(dirname(folder), mode) ?? folder;
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    // Another process of ours was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return first;
}

/** As the system itself would say it. */
function notAFolder(path: string): NodeJS.ErrnoException {
  const error = new Error(`ENOTDIR: not a directory, mkdir '${path}'`);
  return Object.assign(error, { code: 'ENOTDIR', syscall: 'mkdir', path });
}
