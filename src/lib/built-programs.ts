import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The programs of threads, child processes and `rowpress fill`. After an install, scripts/build-programs.ts bundles each into one file. A
 * thread that runs from the sources loads a hundred small TypeScript files, which takes half a second of processor time; a bundle takes a
 * fifth of that. A bundle is used only if none of its inputs changed since; otherwise the sources run. The npm package
 * contains bundles and no sources.
 */
export const PROGRAMS = [
  'src/fill/node/prepare-child.ts',
  'src/fill/node/xlsx/workbook-child.ts',
  'src/fill/node/assets/assets-child.ts',
  'src/fill/node/threads/fill-thread.ts',
  'src/bulkfill/threads/row-reader-thread.ts',
  'src/bulkfill/picture/page-picture-child.ts',
  'src/cli/fill/run-fill.ts',
] as const;
export type Program = (typeof PROGRAMS)[number];

/** The root of the checkout or of the installed package. Correct in a bundle too, because it is at the same depth as this file. */
export const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
export const PACKAGED_PROGRAMS = join(CHECKOUT, 'dist/programs');
const isCheckout = existsSync(join(CHECKOUT, 'src'));
export const BUILT_PROGRAMS = isCheckout ? join(CHECKOUT, 'build/programs') : PACKAGED_PROGRAMS;
/** How a person runs another command of this installation. */
export const OWN_COMMAND = isCheckout ? './bin/rowpress' : 'npx rowpress';
export const PROGRAM_LIST = join(BUILT_PROGRAMS, 'programs.json');

/** Keys are paths in the checkout. */
export interface ProgramList {
  /** The name of the bundle of each source. */
  readonly programs: Readonly<Record<string, string>>;
  readonly inputs: Readonly<Record<string, FileMark>>;
}

/** Size and modification time of a file, which detect a change without reading it. */
export type FileMark = readonly [size: number, changed: number];

export function fileMark(path: string): FileMark {
  const { size, mtimeMs } = statSync(join(CHECKOUT, path));
  return [size, mtimeMs];
}

let usable: ProgramList['programs'] | null = null;

/** Returns the file to run for a program. */
export function programOf(source: Program): URL {
  usable ??= unchangedPrograms();
  const built = usable[source];
  return pathToFileURL(built === undefined ? join(CHECKOUT, source) : join(BUILT_PROGRAMS, built));
}

/** Returns no programs if the list is missing or an input differs from it. */
export function unchangedPrograms(list = PROGRAM_LIST): ProgramList['programs'] {
  try {
    const { programs, inputs } = JSON.parse(readFileSync(list, 'utf8')) as ProgramList;
    const same = Object.entries(inputs).every(([path, [size, changed]]) => {
      const now = fileMark(path);
      return now[0] === size && now[1] === changed;
    });
    return same ? programs : {};
  } catch {
    return {};
  }
}
