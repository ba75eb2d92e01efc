import { readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { BUILT_PROGRAMS, CHECKOUT } from '#lib/built-programs.ts';

/** The files that a child sees, all of them read-only. */
export interface FileView {
  /** Bound under their own names. */
  readonly paths: readonly string[];
  readonly links: readonly { readonly path: string; readonly target: string }[];
}

/** Our own code and fonts and the packages that the code imports, but not the data directory next to them. */
export function programRoots(): string[] {
  const library = createRequire(import.meta.url).resolve('fflate');
  const marker = `${path.sep}node_modules${path.sep}`;
  return [
    path.join(CHECKOUT, 'src'),
    path.join(BUILT_PROGRAMS, '..'),
    path.join(CHECKOUT, 'fonts'),
    path.join(CHECKOUT, 'package.json'),
    // node_modules may be a symbolic link.
    library.slice(0, library.lastIndexOf(marker) + marker.length - 1),
  ].filter(exists);
}

export function fileView(script: string, tools: readonly string[]): FileView {
  const paths = [
    realpathSync(process.execPath),
    ...tools,
    ...libraryFolders(),
    ...programRoots(),
    realpathSync(script),
  ];
  const modules = path.join(CHECKOUT, 'node_modules');
  return {
    paths: withoutNested([...new Set(paths)]),
    links: [...['/lib', '/lib64', '/bin', '/sbin'], modules].flatMap((link) => {
      const target = linkTarget(link);
      return target === undefined ? [] : [{ path: link, target }];
    }),
  };
}

/**
 * Returns the folders of the shared libraries that this process has loaded, which its child needs too, and the folder of the
 * program loader by the path that binaries contain.
 */
function libraryFolders(): string[] {
  const loaded = [...readFileSync('/proc/self/maps', 'utf8').matchAll(/ (\/\S*\.so[^\s/]*)$/gm)];
  const folders = loaded.map(([, file = '']) => path.dirname(file));
  const loader = exists('/lib64') ? [realpathSync('/lib64')] : [];
  return [...new Set([...folders, ...loader])].filter((folder) => !folder.includes('/node_modules/'));
}

function withoutNested(paths: readonly string[]): string[] {
  return paths.filter((one) => !paths.some((other) => other !== one && one.startsWith(`${other}/`)));
}

function linkTarget(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}
