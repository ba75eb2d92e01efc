import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSources, type SourceFile } from '../support/source-files.ts';

/** `- **JOB8** Every attempt …` in docs/contract defines a rule; `[JOB8]` in a test title covers it. */
const definitions = globSync('docs/contract/*.md').flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/^\s*- \*\*([A-Z]{2,5}\d+)\*\*/gm)].map(([, id = '']) => ({
    id,
    path,
  })),
);
const defined = new Set(definitions.map(({ id }) => id));

/** Matches a string in a title position: after `test(`, `test.each(…)(`, `describe(` and similar. */
const TITLE = /(?:\(|,)\s*(['"`])((?:(?!\1)[^\\]|\\.)*\[[A-Z]{2,5}\d+\](?:(?!\1)[^\\]|\\.)*)\1/g;
const isTest = ({ imports }: SourceFile) => imports.some(({ name }) => name === 'vitest');
const citations = readSources('{src,test,web/src}/**/*.ts')
  .filter(isTest)
  .flatMap(({ path, text }) =>
    [...text.matchAll(TITLE)].flatMap(([, , title = '']) =>
      [...title.matchAll(/\[([A-Z]{2,5}\d+)\]/g)].map(([, id = '']) => ({ id, path })),
    ),
  );
const cited = new Set(citations.map(({ id }) => id));

test('a rule: is defined once', () => {
  expect(definitions.length).toBeGreaterThan(50);
  const twice = definitions.filter(({ id }, i) => definitions.findIndex((other) => other.id === id) !== i);
  expect(twice).toEqual([]);
});

test('a rule: is cited by a test', () => {
  expect(definitions.filter(({ id }) => !cited.has(id)).map(({ id }) => id)).toEqual([]);
});

test('a rule that a test cites: exists', () => {
  expect(citations.filter(({ id }) => !defined.has(id))).toEqual([]);
});
