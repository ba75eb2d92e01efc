import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PlainLog } from '#lib/plain-log.ts';
import { exists } from '../data-dir.ts';
import { makeLinks, missingLinks } from './library-links.ts';
import { type Place, SHARED_ROOT } from './place.ts';

/**
 * Copies programs that the database user cannot read (under root's 0700 home), once per version, to a path that the
 * user can read. The copy is renamed into place, so that an interrupted one is never used.
 */
export function copyForUser(native: string, place: Place, log: PlainLog): string | undefined {
  const { version } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')) as {
    version: string;
  };
  const name = `postgres-${version}-${process.platform}-${process.arch}`;
  for (const parent of [SHARED_ROOT, place.directory]) {
    const target = join(parent, name);
    if (exists(join(target, 'native/bin/postgres'))) return join(target, 'native');
    try {
      copy(native, parent, target);
      log.info(
        `copied the PostgreSQL programs to ${target}, because user ${place.user.name} cannot read ${native}`,
      );
      return join(target, 'native');
    } catch {
      // Try the next parent. If none is writable, the caller reports that PostgreSQL cannot be started.
    }
  }
  return undefined;
}

function copy(native: string, parent: string, target: string): void {
  const unfinished = `${target}.${process.pid}.tmp`;
  mkdirSync(parent, { recursive: true });
  if (parent === SHARED_ROOT) chmodSync(parent, 0o755);
  try {
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished);
    cpSync(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    openToAll(unfinished);
    const copied = join(unfinished, 'native');
    const links = missingLinks(copied);
    // Created before the rename: another process may run from the copy right after it.
    makeLinks(join(target, 'native'), links, join(copied, 'lib'));
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have finished the same copy.
    if (!exists(join(target, 'native/bin/postgres'))) throw error;
  }
}

/** Sets modes explicitly, because a strict umask could hide the copy again. */
function openToAll(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, 0o755);
  }
}
