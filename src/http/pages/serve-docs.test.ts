import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { startServer, testSettings } from '../../../test/support/http.ts';
import { DOCS_POLICY } from './serve-docs.ts';

/** The files of a build, as scripts/build-docs.ts writes them. */
function docsRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'rowpress-docs-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ['guides', 'assets']) mkdirSync(join(root, folder));
  const page = (body: string) =>
    `<!doctype html><html><head><title>x</title></head><body>${body}</body></html>`;
  const files = {
    'index.html': page('<a href="guides/fill">Fill</a>'),
    'guides/fill.html': page('Fill'),
    'guides/fill.md': '# Fill\n\n[errors](/docs/errors.md)\n',
    'errors.html': page('before<!--error-lists-->built<!--/error-lists-->after'),
    'assets/site-1a2b.js': 'let site = 1;',
    'search.json': '{}',
    'llms.txt': '- [Fill](/docs/guides/fill.md)\n',
    'llms-full.txt': '# Fill\n',
    '.built-from': 'x',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  writeFileSync(join(root, 'search.json.br'), brotliCompressSync('{}'));
  return root;
}

const started = (basePath: string, docs: string) =>
  startServer({ settings: { ...testSettings, basePath }, web: { root: '/nowhere', docs, fonts: new Map() } });

test('[OPS20][OPS6] a page: has the base path of the server and a policy that allows only its files', async () => {
  const { url } = await started('/tools', docsRoot());
  for (const path of ['/docs', '/docs/', '/tools/docs', '/docs/guides/fill', '/tools/docs/guides/fill']) {
    const response = await fetch(url + path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toBe(DOCS_POLICY);
    expect(await response.text()).toContain('<base href="/tools/docs/">');
  }
  expect(DOCS_POLICY).not.toMatch(/unsafe|https?:/);
});

test('[OPS20] a file: has its type; hashed ones are cached permanently, compressed ones are sent compressed', async () => {
  const { url } = await started('', docsRoot());
  const script = await fetch(`${url}/docs/assets/site-1a2b.js`);
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const index = await fetch(`${url}/docs/search.json`, { headers: { 'accept-encoding': 'br' } });
  expect([index.headers.get('content-encoding'), await index.json()]).toEqual(['br', {}]);
  expect(
    (await fetch(`${url}/docs/search.json`, { headers: { 'accept-encoding': 'gzip' } })).headers.get(
      'content-encoding',
    ),
  ).toBeNull();
});

test.each([
  '/docs/../package.json',
  '/docs/%2e%2e/package.json',
  '/docs/..%2f..%2fpackage.json',
  '/docs/.built-from',
  '/docs/search.json.br',
  '/docs/guides',
  '/docs/nothing',
])('[HTTP34] GET %s: 404', async (path) => {
  const { url } = await started('', docsRoot());
  expect((await fetch(url + path)).status).toBe(404);
});

test('[OPS24] the error page: lists the codes of this server, each with an anchor', async () => {
  const { url } = await started('', docsRoot());
  const html = await (await fetch(`${url}/docs/errors`)).text();
  expect(html).toMatch(/before<h2 id="bulk-fill-v1bulkfill">[\s\S]*<tr id="state-conflict">[\s\S]*after/);
  expect(html).not.toContain('built');
  expect(html.match(/id="INVALID_FIELD"/g)).toHaveLength(1);
});

test('[OPS25] llms.txt and pages as Markdown: name addresses below the base path', async () => {
  const { url } = await started('/tools', docsRoot());
  expect(await (await fetch(`${url}/llms.txt`)).text()).toBe('- [Fill](/tools/docs/guides/fill.md)\n');
  const page = await fetch(`${url}/docs/guides/fill.md`);
  expect(page.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(await page.text()).toContain('(/tools/docs/errors.md)');
  expect((await fetch(`${url}/llms-full.txt`)).status).toBe(200);
});

test('[OPS23] without a build: /docs says how to build it, and the error codes are listed', async () => {
  const { url } = await started('/tools', '/nowhere');
  expect(await (await fetch(`${url}/docs`)).text()).toContain('npm run build');
  expect(await (await fetch(`${url}/docs/errors`)).text()).toContain('id="state-conflict"');
  expect((await fetch(`${url}/llms.txt`)).status).toBe(404);
});
