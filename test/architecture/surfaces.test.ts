import { expect, test } from 'vitest';
import { surfaces } from '#main/surfaces.ts';
import { productSources, type SourceFile, withoutComments } from '../support/source-files.ts';

/** The folders shared by all surfaces. */
const SHELL = /^src\/(http|engine|console|main)\/|^src\/(main|surface)\.ts$/;
/** The only file that lists the surfaces. */
const ROOT = 'src/main/surfaces.ts';

/** Texts that only one surface uses: its name, its title, and its identifiers on the wire. */
const marks = surfaces.flatMap(({ name, dialect, keys, webhookScheme }) => [
  name,
  dialect.title,
  keys.prefix,
  webhookScheme.name === name ? webhookScheme.signatureHeader : name,
]);

function findMarks({ path, text }: Pick<SourceFile, 'path' | 'text'>): string[] {
  const code = withoutComments(text).toLowerCase();
  return marks.filter((mark) => code.includes(mark.toLowerCase())).map((mark) => `${path}: ${mark}`);
}

test('the code that serves every surface: names none of them', () => {
  const shell = productSources().filter(({ path }) => SHELL.test(path) && path !== ROOT);
  expect(shell.length).toBeGreaterThan(150);
  expect(shell.flatMap(findMarks)).toEqual([]);
});

test('a planted name: is found in code, and not in a comment', () => {
  const path = 'src/http/planted.ts';
  for (const text of ["if (surface === 'ingest')", 'const bulkfillLimit = 1;', "'mrk_'", "'Bulk Fill'"])
    expect(findMarks({ path, text }), text).not.toEqual([]);
  expect(findMarks({ path, text: '// such as ingest\n/** and Bulk Fill */' })).toEqual([]);
});

test('each folder of a surface: imports no other surface', () => {
  const folder = new RegExp(`^src/(${surfaces.map(({ name }) => name).join('|')})/`);
  const wrong = productSources().flatMap(({ path, imports }) => {
    const own = folder.exec(path)?.[1];
    const others = imports.map(({ file = '' }) => folder.exec(file)?.[1]);
    return own === undefined
      ? []
      : others.filter((other) => other !== undefined && other !== own).map((other) => `${path} → ${other}`);
  });
  expect(wrong).toEqual([]);
});

test('every surface: has the same files, and one name in its spec, its dialect and its folder', () => {
  const paths = new Set(productSources().map(({ path }) => path));
  const PARTS = ['surface', 'build', 'dialect', 'errors', 'key-kind', 'parts', 'contract', 'routes', 'kind'];
  const missing = surfaces.flatMap(({ name }) =>
    PARTS.map((part) => `src/${name}/${part}.ts`).filter((path) => !paths.has(path)),
  );
  expect(missing).toEqual([]);
  for (const { name, dialect } of surfaces) expect(dialect.errors.dialect).toBe(name);
});
