import { expect, test } from 'vitest';
import { buildSite, collectPages } from '../../scripts/docs/build-site.ts';

const { pages, deadLinks } = collectPages('.');

test('[OPS22] a link of a page: leads to a page, an anchor or a file that exists', () => {
  expect(deadLinks).toEqual([]);
  expect(pages.length).toBeGreaterThan(60);
});

test('[OPS20] a page: has a title, a first paragraph and an address of its own', () => {
  expect(new Set(pages.map(({ slug }) => slug)).size).toBe(pages.length);
  expect(
    pages.filter(({ title, html }) => title === '' || !html.includes('<h1')).map(({ slug }) => slug),
  ).toEqual([]);
  expect(
    pages.filter(({ lead, group }) => lead === '' && !/Rules|Decisions/.test(group)).map(({ slug }) => slug),
  ).toEqual([]);
});

test('[OPS6] the API reference: has every operation of the OpenAPI document', async () => {
  const { paths } = (await import('../../docs/openapi.json', { with: { type: 'json' } })).default;
  const operations = Object.values(paths).flatMap((item) =>
    Object.values(item as Record<string, { operationId?: string }>),
  );
  const headings = new Set(
    pages
      .filter(({ slug }) => slug.startsWith('api/'))
      .flatMap(({ headings: own }) => own.map(({ id }) => id)),
  );
  const missing = operations.flatMap(({ operationId }) =>
    operationId === undefined || headings.has(operationId) ? [] : [operationId],
  );
  expect(missing).toEqual([]);
  expect(headings.size).toBeGreaterThan(50);
});

test('[OPS20][OPS25] the built files: load nothing from other servers', async () => {
  const { files } = await buildSite('.');
  const outside = [...files].flatMap(([name, content]) =>
    name.endsWith('.html')
      ? [...String(content).matchAll(/(?:src|<link[^>]* href)="(?!assets\/)[^"]*"|\bstyle="|<script>/g)].map(
          ([hit]) => `${name}: ${hit}`,
        )
      : [],
  );
  expect(outside).toEqual([]);
  expect(String(files.get('llms.txt'))).toMatch(/^# Rowpress\n\n> /);
  expect(String(files.get('llms-full.txt'))).toContain('# Errors');
});
