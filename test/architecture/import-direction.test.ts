import { expect, test } from 'vitest';
import { surfaces } from '#main/surfaces.ts';
import { productSources, readSources, type SourceFile } from '../support/source-files.ts';

/**
 * The layers that each layer may import. Control goes down this list only; it comes back up through what a caller passes in
 * (`SurfaceSpec`, `JobKind`, hooks, ports).
 */
const SURFACES = surfaces.map(({ name }) => name);
const ENGINE = ['storage', 'lib', 'config'];
const HTTP = ['engine', ...ENGINE];
const CONSOLE = ['http', 'fill', ...HTTP];
const SPEC = ['console', ...CONSOLE];
const SURFACE = ['surface', ...SPEC];
const MAIN = [...SURFACES, ...SURFACE];
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  cli: ['main', ...MAIN],
  main: MAIN,
  ...Object.fromEntries(SURFACES.map((surface) => [surface, SURFACE])),
  surface: SPEC,
  console: CONSOLE,
  http: HTTP,
  engine: ENGINE,
  storage: ['lib', 'config'],
  fill: ['lib'],
  config: ['lib'],
  lib: [],
};

/** `src/http/server.ts` → `http`, `src/main.ts` → `main`. */
function layerOf(path: string): string {
  return path.replace(/^src\//, '').replace(/(\/.*|\.ts)$/, '');
}

const sources = productSources();

test('every folder of src has its place in the order', () => {
  expect(sources.length).toBeGreaterThan(100);
  const unknown = [...new Set(sources.map(({ path }) => layerOf(path)))].filter(
    (layer) => MAY_IMPORT[layer] === undefined,
  );
  expect(unknown).toEqual([]);
});

test('imports go in one direction: cli → main → surfaces → console → http → engine → storage → lib', () => {
  const wrong = sources.flatMap(({ path, imports }) => {
    const layer = layerOf(path);
    return imports
      .flatMap(({ file }) => (file?.startsWith('src/') ? [file] : []))
      .filter((file) => layerOf(file) !== layer && !MAY_IMPORT[layer]?.includes(layerOf(file)))
      .map((file) => `${path} → ${file}`);
  });
  expect(wrong).toEqual([]);
});

test('the product imports nothing of tests, scripts or benches', () => {
  const wrong = sources.flatMap(({ path, imports }) =>
    imports
      .flatMap(({ file }) =>
        file === undefined || /^(src\/|package\.json|docs\/schemas\/)/.test(file) ? [] : [file],
      )
      .map((file) => `${path} → ${file}`),
  );
  expect(wrong).toEqual([]);
});

/** Code that also runs in a browser, and wire schemas, of which the web app may import types. */
const RUNS_IN_BROWSER = /^src\/(fill(?!\/node\/)|lib)\//;
const CONTRACT = /^src\/(console\/contract\/|(bulkfill|ingest|subscribers\/\w+)\/contract\.ts$)/;

test('the web app imports code that runs in a browser, and from contracts only types', () => {
  const web = readSources('web/src/**/*.{ts,tsx}').filter(({ path }) => !path.endsWith('.test.ts'));
  expect(web.length).toBeGreaterThan(50);
  const wrong = web.flatMap(({ path, imports }) =>
    imports
      .flatMap(({ file, typeOnly }) => (file?.startsWith('src/') ? [{ file, typeOnly }] : []))
      .filter(({ file, typeOnly }) => !RUNS_IN_BROWSER.test(file) && !(typeOnly && CONTRACT.test(file)))
      .map(({ file }) => `${path} → ${file}`),
  );
  expect(wrong).toEqual([]);
});

test('the contracts of the operator API hold nothing but zod schemas', () => {
  const contracts = readSources('src/console/contract/*.ts');
  expect(contracts.length).toBeGreaterThan(10);
  const wrong = contracts.flatMap(({ path, imports }) =>
    imports
      .filter(({ name, file }) => name !== 'zod' && !file?.startsWith('src/console/contract/'))
      .map(({ name }) => `${path} → ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('the web app declares no type for a response: every callJson names a contract type', () => {
  const inline = readSources('web/src/**/*.{ts,tsx}').flatMap(({ path, text }) =>
    [...text.matchAll(/\bcall(?:Json|Ingest)<\s*(?:readonly\s+)?\{/g)].map(() => path),
  );
  expect(inline).toEqual([]);
});

test('the editor’s core, its gestures and its tools import neither React nor components', () => {
  const pure = readSources('web/src/{core,canvas/gestures,kinds}/**/*.ts').filter(
    ({ path }) => !path.endsWith('.test.ts'),
  );
  expect(pure.length).toBeGreaterThan(20);
  const wrong = pure.flatMap(({ path, imports }) =>
    imports
      .filter(({ name, typeOnly }) => !typeOnly && (/^(react|zustand)/.test(name) || name.endsWith('.tsx')))
      .map(({ name }) => `${path} → ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('every import of our own files names a file that exists', () => {
  const missing = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ name, file }) => /^[.#]/.test(name) && file === undefined)
      .map(({ name }) => `${path} → ${name}`),
  );
  expect(missing).toEqual([]);
});

test('imports that leave their folder by more than one level are written from the top', () => {
  const climbing = [...sources, ...readSources('test/**/*.ts', 'web/src/**/*.{ts,tsx}')].flatMap(
    ({ path, imports }) =>
      imports
        .filter(({ name, file }) => file?.startsWith('src/') && /^\.\.\/\.\.\//.test(name))
        .map(({ name }) => `${path} → ${name}`),
  );
  expect(climbing).toEqual([]);
});

test('no file imports itself through others', () => {
  expect(findCycles(sources)).toEqual([]);
});

/** Depth first; a file met again while it is on the path closes a cycle. Types are gone when the code runs. */
function findCycles(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at !== -1) cycles.push([...trail.slice(at), path].join(' → '));
    if (at !== -1 || done.has(path)) return;
    for (const { file, started, typeOnly } of byPath.get(path)?.imports ?? [])
      if (file !== undefined && !started && !typeOnly) visit(file, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return cycles;
}
