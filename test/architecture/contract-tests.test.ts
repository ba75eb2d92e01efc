import { expect, test } from 'vitest';
import { readSources, type SourceFile, withoutComments } from '../support/source-files.ts';

/** Contract tests use the product as its users do: over HTTP and through commands. */
const everything = readSources('{src,test,scripts,bench,examples}/**/*.ts');
const byPath = new Map(everything.map((file) => [file.path, file]));
const isContract = (path: string) => path.startsWith('test/contract/');
/** The example surface represents product code, so it may use the engine. */
const isSupport = (path: string) =>
  path.startsWith('test/support/') && !path.startsWith('test/support/example-surface/');

/** Returns all files that a file imports, directly or indirectly. */
function reachedFrom(path: string, reached = new Set<string>()): Set<string> {
  for (const { file } of byPath.get(path)?.imports ?? [])
    if (file !== undefined && !reached.has(file)) reachedFrom(file, reached.add(file));
  return reached;
}

function contractOnly(): SourceFile[] {
  const users = everything.filter(({ path }) => !isSupport(path));
  const others = new Set(
    users.filter(({ path }) => !isContract(path)).flatMap(({ path }) => [...reachedFrom(path)]),
  );
  const own = new Set(
    users.filter(({ path }) => isContract(path)).flatMap(({ path }) => [path, ...reachedFrom(path)]),
  );
  return everything.filter(
    ({ path }) => own.has(path) && (isContract(path) || (isSupport(path) && !others.has(path))),
  );
}

const files = contractOnly();

test('contract tests and the support that only they use: contain no SQL and reach for no connection', () => {
  expect(files.filter(({ path }) => isContract(path)).length).toBeGreaterThan(50);
  expect(files.some(({ path }) => isSupport(path))).toBe(true);
  const forbidden =
    /\bsql[`<]|\.(selectFrom|insertInto|updateTable|deleteFrom|query)\(|\.(database|pool|deps)\b|\bnode\.engine\b|\b(insert into|delete from|select\s+[\w*,.\s"()]+\s+from|alter table|lock table)\s+\w/;
  const wrong = files.flatMap(({ path, text }) => {
    const hit = forbidden.exec(withoutComments(text));
    return hit === null ? [] : [`${path}: ${hit[0].trim()}`];
  });
  expect(wrong).toEqual([]);
});

test('contract tests and the support that only they use: import no value of the engine, the storage or a database library', () => {
  const wrong = files.flatMap(({ path, imports }) =>
    imports
      .filter(({ name, file, typeOnly }) => {
        const inside = file !== undefined && /^src\/(storage|engine)\//.test(file);
        return !typeOnly && (inside || ['pg', 'kysely'].includes(name));
      })
      .map(({ name }) => `${path} → ${name}`),
  );
  expect(wrong).toEqual([]);
});
