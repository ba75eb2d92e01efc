import { expect, test } from 'vitest';
import { surfaces } from '#main/surfaces.ts';
import { productSources, readSources, type SourceFile } from '../support/source-files.ts';

/**
 * The imports that each layer may have. Calls go down this list; results return through what a caller passes in
 * (`SurfaceSpec`, `JobKind`, hooks, ports).
 */
const SURFACES = surfaces.map(({ name }) => name);
const CONSOLE = ['http', 'fill', 'engine', 'storage', 'lib', 'config'];
const SURFACE = ['surface', 'console', ...CONSOLE];
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  cli: ['main', 'bulkfill', 'console', ...CONSOLE],
  main: [...SURFACES, ...SURFACE],
  ...Object.fromEntries(SURFACES.map((surface) => [surface, SURFACE])),
  surface: ['console', ...CONSOLE],
  console: CONSOLE,
  http: ['engine', 'storage', 'lib', 'config'],
  engine: ['storage', 'lib', 'config'],
  storage: ['lib'],
  fill: ['lib'],
  config: ['lib'],
  lib: [],
};

/** `src/http/server.ts` → `http`, `src/main.ts` → `main`. */
function layerOf(path: string): string {
  return path.replace(/^src\//, '').replace(/(\/.*|\.ts)$/, '');
}

const sources = productSources();

test('a folder of src: is a layer', () => {
  expect(sources.length).toBeGreaterThan(100);
  const unknown = [...new Set(sources.map(({ path }) => layerOf(path)))].filter(
    (layer) => MAY_IMPORT[layer] === undefined,
  );
  expect(unknown).toEqual([]);
});

test('a layer and what it may import: both exist, and some file makes that import', () => {
  const layers = new Set(sources.map(({ path }) => layerOf(path)));
  expect(Object.keys(MAY_IMPORT).filter((layer) => !layers.has(layer))).toEqual([]);
  // All surfaces share one import list, so an import by one of them is enough.
  const group = (layer: string) => (SURFACES.includes(layer) ? 'a surface' : layer);
  const made = new Set(
    sources.flatMap(({ path, imports }) =>
      imports.flatMap(({ file }) =>
        file?.startsWith('src/') ? [`${group(layerOf(path))} → ${layerOf(file)}`] : [],
      ),
    ),
  );
  const allowed = Object.entries(MAY_IMPORT).flatMap(([layer, below]) =>
    below.map((name) => `${group(layer)} → ${name}`),
  );
  expect([...new Set(allowed)].filter((edge) => !made.has(edge))).toEqual([]);
});

test('an import between layers: goes down, cli → main → surfaces → console → http → engine → storage → lib', () => {
  const wrong = sources.flatMap(({ path, imports }) => {
    const layer = layerOf(path);
    return imports
      .flatMap(({ file }) => (file?.startsWith('src/') ? [file] : []))
      .filter((file) => layerOf(file) !== layer && !MAY_IMPORT[layer]?.includes(layerOf(file)))
      .map((file) => `${path} → ${file}`);
  });
  expect(wrong).toEqual([]);
});

test('a file of the product: imports no test, script or benchmark', () => {
  const wrong = sources.flatMap(({ path, imports }) =>
    imports
      .flatMap(({ file }) =>
        file === undefined || /^(src\/|clients\/typescript\/src\/|package\.json|docs\/schemas\/)/.test(file)
          ? []
          : [file],
      )
      .map((file) => `${path} → ${file}`),
  );
  expect(wrong).toEqual([]);
});

test('a file of the server: does not import the client; commands against a server do', () => {
  const users = sources
    .filter(({ imports }) => imports.some(({ file }) => file?.startsWith('clients/')))
    .map(({ path }) => path);
  expect(users.length).toBeGreaterThan(0);
  expect(users.filter((path) => !path.startsWith('src/cli/'))).toEqual([]);
});

/** Code that also runs in a browser, and wire schemas, whose types the web app may import. */
const RUNS_IN_BROWSER = /^src\/(fill(?!\/node\/)|lib)\//;
const CONTRACT =
  /^src\/(console\/contract\/|(bulkfill|ingest(\/\w+)?|subscribers\/\w+)\/(operator-)?contract\.ts$)/;

test('a file of the web app: imports code that runs in a browser, and from contracts only types', () => {
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

test('a contract of the operator API: contains only zod schemas', () => {
  const contracts = readSources('src/console/contract/*.ts');
  expect(contracts.length).toBeGreaterThan(10);
  const wrong = contracts.flatMap(({ path, imports }) =>
    imports
      .filter(({ name, file }) => name !== 'zod' && !file?.startsWith('src/console/contract/'))
      .map(({ name }) => `${path} → ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('a response in the web app: has a contract type, not its own', () => {
  const inline = readSources('web/src/**/*.{ts,tsx}').flatMap(({ path, text }) =>
    [...text.matchAll(/\bcall(?:Json|Ingest)<\s*(?:readonly\s+)?\{/g)].map(() => path),
  );
  expect(inline).toEqual([]);
});

test('the core of the editor, its gestures and its tools: import neither React nor components', () => {
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

test('an import of our own files: names a file that exists', () => {
  const missing = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ name, file }) => /^[.#]/.test(name) && file === undefined)
      .map(({ name }) => `${path} → ${name}`),
  );
  expect(missing).toEqual([]);
});

test('an import that leaves its folder by more than one level: is written from the top', () => {
  const climbing = [...sources, ...readSources('test/**/*.ts', 'web/src/**/*.{ts,tsx}')].flatMap(
    ({ path, imports }) =>
      imports
        .filter(({ name, file }) => file?.startsWith('src/') && /^\.\.\/\.\.\//.test(name))
        .map(({ name }) => `${path} → ${name}`),
  );
  expect(climbing).toEqual([]);
});

test('imports: have no cycle', () => {
  expect(findCycles(sources)).toEqual([]);
});

/** Depth-first search; a file that is already on the path closes a cycle. Type imports are erased, so they do not count. */
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
