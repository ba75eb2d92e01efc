/**
 * Bundles our programs into `build/programs`, so that they start in a fraction of the time. npm runs this after an install
 * and before a start. Only speed depends on it.
 */
import { rmSync, writeFileSync } from 'node:fs';
import {
  BUILT_PROGRAMS,
  fileMark,
  PROGRAM_LIST,
  type ProgramList,
  unchangedPrograms,
} from '#lib/built-programs.ts';
import { bundlePrograms } from './bundle-programs.ts';

const started = performance.now();
if (Object.keys(unchangedPrograms()).length === 0) {
  rmSync(BUILT_PROGRAMS, { recursive: true, force: true });
  const bundled = await bundlePrograms(BUILT_PROGRAMS);
  if (bundled === undefined)
    console.error('programs: not built, because esbuild is not installed; the sources are used instead');
  else {
    const inputs = [
      ...bundled.inputs,
      'scripts/build-programs.ts',
      'scripts/bundle-programs.ts',
      'package-lock.json',
    ];
    const list: ProgramList = {
      programs: bundled.programs,
      inputs: Object.fromEntries(inputs.sort().map((path) => [path, fileMark(path)])),
    };
    writeFileSync(PROGRAM_LIST, JSON.stringify(list));
    console.error(`programs: built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
}
