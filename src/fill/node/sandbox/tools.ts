import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Programs of the operating system that the launcher uses; undefined if not installed. */
export interface Tools {
  readonly bwrap: string | undefined;
  readonly unshare: string | undefined;
  readonly setpriv: string | undefined;
  readonly prlimit: string | undefined;
  readonly env: string | undefined;
  readonly mount: string | undefined;
  readonly umount: string | undefined;
  readonly pivot_root: string | undefined;
}

const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/run/current-system/sw/bin'];

/** Looks up programs in fixed folders, because a search path could contain an attacker's program. */
export function findTools(folders: readonly string[] = FOLDERS): Tools {
  const find = (name: string) => folders.map((folder) => path.join(folder, name)).find(isProgram);
  return {
    bwrap: find('bwrap'),
    unshare: find('unshare'),
    setpriv: find('setpriv'),
    prlimit: find('prlimit'),
    env: find('env'),
    mount: find('mount'),
    umount: find('umount'),
    pivot_root: find('pivot_root'),
  };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
