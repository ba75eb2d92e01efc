import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { exists } from '../data-dir.ts';

/**
 * The package's libraries are found by short names (`libpq.so.5`) that are symbolic links; npm packages cannot
 * carry links, so `pg-symlinks.json` lists them and an install script makes them. npm may skip that script.
 * The links are then made in a directory of ours that goes on the library path: node_modules stays untouched
 * and may be read-only.
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

/** Each link points at the absolute path of its library, so that `directory` may be anywhere. */
export function makeLinks(native: string, links: readonly Link[], directory: string): void {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o755); // whatever the umask is: the database's user reads here
  for (const { source, target } of links) {
    const link = join(directory, basename(target));
    // Remade every time: the package may have moved since.
    rmSync(link, { force: true });
    symlinkSync(join(native, '..', source), link);
  }
}
