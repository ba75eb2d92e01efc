/**
 * Compiles the sources into `dist` for the npm package, because Node does not run TypeScript below node_modules. npm runs
 * this before `npm pack`. Types are only removed, so that lines in a stack trace are those of the sources.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { CHECKOUT, PACKAGED_PROGRAMS, type ProgramList } from '#lib/built-programs.ts';
import { bundlePrograms } from './bundle-programs.ts';

process.chdir(CHECKOUT);
await import('./build-docs.ts');
await import('./build-web.ts');
rmSync('dist', { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.package.json'], { stdio: 'inherit' });
for (const path of globSync('dist/**/*.d.ts'))
  writeFileSync(path, withoutExtensions(readFileSync(path, 'utf8'), dirname(relative('dist', path))));
strip('src', '.');
// Commands against a server use the sources of the client, as `#client/…`. The workspace itself is not on a registry.
strip('clients/typescript/src', 'client');
const bundled = await bundlePrograms(PACKAGED_PROGRAMS);
if (bundled === undefined) throw new Error('esbuild is not installed; run "npm ci" first');
// No inputs: an installed package never changes, so its bundles are always used.
const list: ProgramList = { programs: bundled.programs, inputs: {} };
writeFileSync(join(PACKAGED_PROGRAMS, 'programs.json'), JSON.stringify(list));

/** Writes the files of a folder without their types into a folder of `dist`. */
function strip(from: string, to: string): void {
  for (const path of globSync(`${from}/**/*.ts`, { exclude: ['**/*.test.ts', '**/*.d.ts'] })) {
    const name = join(to, relative(from, path));
    const target = join('dist', name.replace(/ts$/, 'js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, withoutExtensions(stripTypeScriptTypes(readFileSync(path, 'utf8')), dirname(name)));
  }
}

/** Makes imports of sources name the compiled files. `#…` becomes a relative path, so that no `imports` map is needed. */
function withoutExtensions(text: string, folder: string): string {
  return text.replace(
    /((?:from|import)\s*\(?\s*)(['"])(#|\.{1,2}\/)([^'"]+)\.ts\2/g,
    (_, before: string, quote: string, start: string, path: string) => {
      const target = start === '#' ? relative(folder, path) : `${start}${path}`;
      return `${before}${quote}${target.startsWith('.') ? target : `./${target}`}.js${quote}`;
    },
  );
}
