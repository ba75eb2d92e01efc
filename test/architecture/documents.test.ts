import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '#config/settings.ts';

/** Everything that the documents name must exist: files, headings, rules, settings. */
const documents = globSync(['*.md', '{clients,docs,examples,bench,test}/**/*.md'], {
  // The peers of the benchmarks, if they are installed.
  exclude: ['**/node_modules'],
}).map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** Returns `path: name` for every name that `isKnown` rejects. */
function unknown(pattern: RegExp, isKnown: (name: string, path: string) => boolean): string[] {
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)]
      .map(([, name = '']) => name)
      .filter((name) => !isKnown(name, path))
      .map((name) => `${path}: ${name}`),
  );
}

/** Returns the anchors of all headings as GitHub generates them. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('a link: leads to a file that exists, and to a heading in it', () => {
  expect(documents.length).toBeGreaterThan(30);
  // `[text](#c00)` is a colour in the markup of texts, which documents show as code.
  const links =
    /(?:\]\((?!#[0-9a-f]{3}(?:[0-9a-f]{3})?\)|#rrggbb\))|\b(?:src|srcset|href)=")(?!https?:)([^)"\s]+)/g;
  const leads = (link: string, path: string) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : normalize(join(dirname(path), file));
    if (anchor === undefined) return existsSync(target);
    return existsSync(target) && anchors(readFileSync(target, 'utf8')).includes(anchor);
  };
  expect(unknown(links, leads)).toEqual([]);
});

test('a rule that a document cites: exists', () => {
  const contract = documents.filter(({ path }) => path.startsWith('docs/contract/'));
  const defined = new Set(
    contract.flatMap(({ text }) => [...text.matchAll(/^\s*- \*\*([A-Z]+\d+)\*\*/gm)].map(([, id]) => id)),
  );
  const families = [...new Set([...defined].map((id) => id?.replace(/\d+$/, '')))].join('|');
  expect(unknown(new RegExp(`\\b((?:${families})\\d+)\\b`, 'g'), (id) => defined.has(id))).toEqual([]);
});

test('a setting that a document names: exists', () => {
  // Variables of the examples and tests are not settings of the product.
  const known = new Set<string>(['ROWPRESS_URL', 'ROWPRESS_KEY', 'ROWPRESS_TEST_SEED']);
  for (const { name } of Object.values(settings)) known.add(name);
  expect(unknown(/\b(ROWPRESS_[A-Z_]+[A-Z])\b/g, (name) => known.has(name))).toEqual([]);
});
