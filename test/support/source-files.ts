import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository as text, for tests that read the code without running it. */
const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Import {
  /** As written. */
  readonly name: string;
  /** Path relative to the repository if it is a project file. */
  readonly file: string | undefined;
  readonly typeOnly: boolean;
  /** Started as a thread or process instead of imported. */
  readonly started: boolean;
}

export interface SourceFile {
  /** Path relative to the repository, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

export function readSources(...patterns: string[]): SourceFile[] {
  return patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((path) => !path.includes('node_modules'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, imports: findImports(path, text) };
    });
}

/** Shipped files: `src` without the tests beside the code and the files that only they use. */
export function productSources(): SourceFile[] {
  const all = readSources('src/**/*.ts').filter(({ path }) => !path.endsWith('.test.ts'));
  return all.filter(({ imports }) => !imports.some(({ name }) => name === 'vitest'));
}

const STATEMENT = /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'\s*\)/g;
const BY_URL = /new URL\(\s*'(\.[^']+\.ts)',\s*import\.meta\.url\s*\)/g;

function findImports(path: string, text: string): Import[] {
  const make = (name: string, typeOnly: boolean, started: boolean): Import => ({
    name,
    typeOnly,
    started,
    file: resolveFile(path, name),
  });
  return [
    ...[...text.matchAll(STATEMENT)].map(([statement, type, name = '']) =>
      make(name, type !== undefined || onlyTypes(statement), false),
    ),
    ...[...text.matchAll(DYNAMIC)].map(([, name = '']) => make(name, false, false)),
    ...[...text.matchAll(BY_URL)].map(([, name = '']) => make(name, false, true)),
  ];
}

/** `import { type A, type B } from` keeps the import but uses no value from it. */
function onlyTypes(statement: string): boolean {
  const names = /\{([^}]*)\}/
    .exec(statement)?.[1]
    ?.split(',')
    .map((name) => name.trim());
  const isDefaultToo = /(?:import|export)\s+\w+\s*,/.test(statement);
  return !isDefaultToo && names?.every((name) => name === '' || name.startsWith('type ')) === true;
}

function resolveFile(from: string, name: string): string | undefined {
  if (!/^[.#]/.test(name)) return undefined;
  const file = name.startsWith('#') ? fromTop(name) : normalize(join(dirname(from), name));
  return existsSync(join(root, file)) ? file : undefined;
}

/** Resolves the `imports` of package.json. */
function fromTop(name: string): string {
  return name.startsWith('#client/')
    ? name.replace('#client', 'clients/typescript/src')
    : `src/${name.slice(1)}`;
}

/** Strips comments: they may name things that code must not use. */
export function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}
