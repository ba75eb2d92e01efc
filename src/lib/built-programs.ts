import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The programs of our threads and child processes, and what `rowpress fill` does, each put together into one file when the
 * packages were installed (scripts/build-programs.ts). Run from the sources, a thread loads a hundred small TypeScript files,
 * which takes half a second of processor time; built, a fifth of that. The sources remain what counts: built files are used
 * only while everything they were made from is as it was, and otherwise the sources are run.
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

/** Also from a built file, which lies as deep as this one. */
export const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
export const BUILT_PROGRAMS = join(CHECKOUT, 'build/programs');
export const PROGRAM_LIST = join(BUILT_PROGRAMS, 'programs.json');

/** Sources and inputs are named by their paths in the checkout. */
export interface ProgramList {
  /** The built file's name for each source. */
  readonly programs: Readonly<Record<string, string>>;
  readonly inputs: Readonly<Record<string, FileMark>>;
}

/** By which a change of a file is noticed without reading it: its size and when it was last changed. */
export type FileMark = readonly [size: number, changed: number];

export function fileMark(path: string): FileMark {
  const { size, mtimeMs } = statSync(join(CHECKOUT, path));
  return [size, mtimeMs];
}

let usable: ProgramList['programs'] | null = null;

/** What to run for one of our programs. */
export function programOf(source: Program): URL {
  usable ??= unchangedPrograms();
  const built = usable[source];
  return pathToFileURL(built === undefined ? join(CHECKOUT, source) : join(BUILT_PROGRAMS, built));
}

/** None, when the list is missing or anything differs from it. */
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
