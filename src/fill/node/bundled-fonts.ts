import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CHECKOUT } from '#lib/built-programs.ts';
import { ALL_FACES } from '../fonts/bundled-faces.ts';
import { BUNDLED } from '../fonts/face-files.ts';
import type { FontLibrary } from '../fonts/font-library.ts';

/**
 * Font files of this package and of optional packages. The latter are looked up directly below the node_modules folders,
 * because a package's `exports` may hide its files from module resolution. Files are read on first use and cached by the
 * caller (font-kit.ts). A run over Latin text reads none.
 */
export function bundledFontLibrary(folders: readonly string[] = moduleFolders()): FontLibrary {
  return {
    face: (id) => {
      const file = findFile(id, folders);
      return file === undefined ? undefined : readFileSync(file);
    },
    subsetterWasm: () => {
      const file = findFile('harfbuzzjs/dist/harfbuzz-subset.wasm', folders);
      if (file === undefined) throw new Error('harfbuzzjs is not installed completely');
      return readFileSync(file);
    },
  };
}

/** Returns the file of each installed face, so that the editor can use exactly the fonts of the server. */
export function installedFaces(folders: readonly string[] = moduleFolders()): ReadonlyMap<string, string> {
  return new Map(
    ALL_FACES.flatMap((id) => {
      const file = findFile(id, folders);
      return file === undefined ? [] : [[id, file] as const];
    }),
  );
}

function findFile(path: string, modules: readonly string[]): string | undefined {
  const folders = path.startsWith(BUNDLED) ? [CHECKOUT] : modules;
  return folders.map((folder) => join(folder, path)).find((file) => existsSync(file));
}

/** The node_modules folders that can contain a package of this installation, nearest first. */
export function moduleFolders(): readonly string[] {
  return createRequire(import.meta.url).resolve.paths('harfbuzzjs') ?? [];
}
