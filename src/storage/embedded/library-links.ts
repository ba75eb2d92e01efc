import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { exists } from '../data-dir.ts';

/**
 * A link to a library of the package. Libraries are found by short names (`libpq.so.5`), which are symbolic links. npm
 * packages cannot contain links, so `pg-symlinks.json` lists them and an install script creates them. If npm skipped
 * that script, the links are created in our own directory on the library path: node_modules stays unchanged and may be
 * read-only.
 */
interface Link {
  readonly source: string;
  readonly target: string;
}

export function missingLinks(native: string): Link[] {
  const list = join(native, 'pg-symlinks.json');
  if (!exists(list)) return [];
  const links = JSON.parse(readFileSync(list, 'utf8')) as Link[];
  return links.filter(({ target }) => !exists(join(native, '..', target)));
}

/** Creates links to the absolute paths of the libraries, so that `directory` may be anywhere. */
export function makeLinks(native: string, links: readonly Link[], directory: string): void {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o755); // regardless of the umask: the database user reads here
  for (const { source, target } of links) {
    const link = join(directory, basename(target));
    // Recreated every time: the package may have moved.
    rmSync(link, { force: true });
    symlinkSync(join(native, '..', source), link);
  }
}
