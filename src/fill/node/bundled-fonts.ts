import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { FontLibrary } from '../fonts/font-library.ts';

/**
 * Font files from the installed packages. Paths are looked up directly below the node_modules folders, because a package's
 * `exports` may hide its files from module resolution. Files are read on first use and cached by the caller (font-kit.ts). A
 * run over Latin text reads none.
 */
export function bundledFontLibrary(folders: readonly string[] = moduleFolders()): FontLibrary {
  const find = (path: string) => folders.map((folder) => join(folder, path)).find((file) => existsSync(file));
  return {
    face: (id) => {
      const file = find(id);
      return file === undefined ? undefined : readFileSync(file);
    },
    subsetterWasm: () => {
      const file = find('harfbuzzjs/dist/harfbuzz-subset.wasm');
      if (file === undefined) throw new Error('harfbuzzjs is not installed completely');
      return readFileSync(file);
    },
  };
}

/** The node_modules folders that can contain a package of this installation, nearest first. */
export function moduleFolders(): readonly string[] {
  return createRequire(import.meta.url).resolve.paths('harfbuzzjs') ?? [];
}
