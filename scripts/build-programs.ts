/**
 * Bundles each of our programs (src/lib/built-programs.ts) into one file under `build/programs`, so that it starts in a
 * fraction of the time. npm runs this after an install and before a start. Only speed depends on it.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  BUILT_PROGRAMS,
  CHECKOUT,
  fileMark,
  PROGRAM_LIST,
  PROGRAMS,
  type ProgramList,
  unchangedPrograms,
} from '#lib/built-programs.ts';

/** These packages load their WebAssembly from their own folder. */
const LEFT_IN_PLACE = ['harfbuzzjs', '@hyzyla/pdfium'];

const started = performance.now();
const esbuild =
  Object.keys(unchangedPrograms()).length > 0 ? null : await import('esbuild').catch(() => undefined);
if (esbuild === undefined)
  console.error('programs: not built, because esbuild is not installed; the sources are used instead');
else if (esbuild !== null) {
  rmSync(BUILT_PROGRAMS, { recursive: true, force: true });
  const { metafile } = await esbuild.build({
    absWorkingDir: CHECKOUT,
    entryPoints: [...PROGRAMS],
    entryNames: '[name]',
    outdir: BUILT_PROGRAMS,
    bundle: true,
    // Code that a program loads lazily stays in its own file.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.18',
    mainFields: ['module', 'main'],
    minifyWhitespace: true,
    external: LEFT_IN_PLACE,
    // Some packages still call `require` for Node's built-in modules.
    banner: {
      js: "import{createRequire as createRequireHere}from'node:module';const require=createRequireHere(import.meta.url);",
    },
    metafile: true,
    logLevel: 'warning',
  });
  const inputs = [...Object.keys(metafile.inputs), 'scripts/build-programs.ts', 'package-lock.json'];
  const list: ProgramList = {
    programs: Object.fromEntries(PROGRAMS.map((source) => [source, basename(source).replace(/ts$/, 'js')])),
    inputs: Object.fromEntries(inputs.sort().map((path) => [path, fileMark(path)])),
  };
  writeFileSync(PROGRAM_LIST, JSON.stringify(list));
  console.error(`programs: built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
