import { expect, test } from 'vitest';
import { productSources, readSources, type SourceFile, withoutComments } from '../support/source-files.ts';

const sources = productSources();
const code = new Map(sources.map(({ path, text }) => [path, withoutComments(text)]));

/** Returns `path: match` for every file outside `allowed` whose code matches. */
function users(pattern: RegExp, allowed: (path: string) => boolean): string[] {
  return sources.flatMap(({ path }) => {
    const hit = allowed(path) ? null : pattern.exec(code.get(path) ?? '');
    return hit === null ? [] : [`${path}: ${hit[0].trim()}`];
  });
}

const inStorage = (path: string) => path.startsWith('src/storage/');

test('SQL outside src/storage: none', () => {
  const statement =
    /\bsql`|\bsql<|\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\b(select\s+[\w*,.\s"]+\s+from|insert into|delete from)\s+\w/i;
  expect(users(statement, inStorage)).toEqual([]);
});

test('a database library: imported only by src/storage', () => {
  const wrong = sources
    .filter(({ path }) => !inStorage(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ name, typeOnly }) => !typeOnly && ['pg', 'kysely', 'pg-copy-streams'].includes(name))
        .map(({ name }) => `${path} → ${name}`),
    );
  expect(wrong).toEqual([]);
});

test('process.env: read only in src/config.ts', () => {
  expect(users(/process\s*\.\s*env|process\[/, (path) => path === 'src/config.ts')).toEqual([]);
});

test('a path below a world-writable folder: is not built into the product', () => {
  expect(users(/['"`]\/(tmp|var\/tmp|dev\/shm)\//, () => false)).toEqual([]);
});

/** Exceptions with their reasons; all other code receives time and ids as parameters. */
const OWN_TIME: Readonly<Record<string, string>> = {
  'src/lib/clock.ts': 'is the clock',
  'src/fill/node/base-cache.ts': 'marks a cache file as used, as reading it would on other file systems',
  'src/storage/limits/rate-limit-store.ts': 'moves the times of a library that reads Date.now() to the clock',
};

test('the current time: comes from the clock', () => {
  const reads = /\bDate\.now\(\)|\bnew Date\(\)/;
  expect(users(reads, (path) => path in OWN_TIME)).toEqual([]);
  for (const path of Object.keys(OWN_TIME)) expect(code.get(path)).toMatch(reads);
});

test('identifiers: come from lib/ids', () => {
  expect(users(/\brandomUUID\(|from 'uuid'|from 'ulid'/, (path) => path === 'src/lib/ids.ts')).toEqual([]);
});

test('the fill engine runs in a browser: nothing it reaches outside fill/node touches Node.js', () => {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const isNodeSide = (path: string) => path.startsWith('src/fill/node/');
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { file, typeOnly } of byPath.get(path)?.imports ?? [])
      if (file?.startsWith('src/') && !typeOnly) visit(file);
  };
  for (const { path } of sources) if (path.startsWith('src/fill/') && !isNodeSide(path)) visit(path);
  expect(reached.size).toBeGreaterThan(20);
  const wrong = [...reached].flatMap((path) => {
    if (isNodeSide(path)) return [`${path} is reached`];
    const hit = /from 'node:[\w/]+'|\bBuffer\.|\bprocess\.|\bsetImmediate\(|\brequire\(/.exec(
      code.get(path) ?? '',
    );
    return hit === null ? [] : [`${path}: ${hit[0]}`];
  });
  expect(wrong).toEqual([]);
});

const GENERATED = new Set(['src/storage/db-types.ts']);

test('a file: has at most 500 lines', () => {
  const everything = readSources('{src,test,scripts,bench,examples,web/src}/**/*.{ts,tsx}');
  const long = everything
    .filter(({ path }) => !GENERATED.has(path))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > 500);
  expect(long).toEqual([]);
});

test('a file name: says what the file does', () => {
  const vague = /(^|\/)(utils?|helpers?|common|misc|types|interfaces|constants|index|shared|stuff)\.ts$/;
  const named = readSources('{src,test,scripts,bench,examples,web/src}/**/*.{ts,tsx}').filter(({ path }) =>
    vague.test(path),
  );
  expect(named.map(({ path }) => path)).toEqual([]);
});

test('no barrel files: nothing collects what several others export', () => {
  const isBarrel = ({ path }: SourceFile) => {
    const lines = (code.get(path) ?? '').split('\n').filter((line) => line.trim() !== '');
    return lines.length > 1 && lines.every((line) => /^export (type )?(\*|\{).*from /.test(line));
  };
  expect(sources.filter(isBarrel).map(({ path }) => path)).toEqual([]);
});

test('[STO82] a statement that is prepared: names its columns, so that it is prepared with DATABASE_URL too', () => {
  const statements = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:\$\{prepared\}|markPrepared\(`|claimStatement\(\{)[^`]*`/g)].map(
      ([statement]) => `${path}: ${statement}`,
    ),
  );
  expect(statements.length).toBeGreaterThan(20);
  expect(statements.filter((statement) => /\w\.\*|\b(select|returning)\s+\*/i.test(statement))).toEqual([]);
});
