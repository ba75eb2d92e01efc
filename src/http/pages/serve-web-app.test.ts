import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { startServer, testSettings } from '../../../test/support/http.ts';
import { WEB_POLICY } from './serve-web-app.ts';

/** The files of a Vite build. */
function webRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'rowpress-web-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'assets'));
  mkdirSync(join(root, 'samples'));
  const files = {
    'index.html': '<!doctype html><html><head><title>app</title></head><body></body></html>',
    'icon.svg': '<svg/>',
    '.built-from': 'x',
    'assets/app-1a2b.js': 'let app = 1;',
    'assets/worker-3c4d.mjs': 'export {};',
    'assets/engine-5e6f.wasm': '\0asm',
    'samples/letter.pdf': '%PDF-1.7',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  writeFileSync(join(root, 'assets/app-1a2b.js.br'), brotliCompressSync('let app = 1;'));
  return root;
}

test('[CON22] every address of the app: serves its page, with the base path and its own policy', async () => {
  const settings = { ...testSettings, basePath: '/tools/rowpress' };
  const { url } = await startServer({ settings, web: { root: webRoot(), fonts: new Map() } });
  for (const path of [
    '/',
    '/sign-in',
    '/editor',
    '/editor/a/b',
    '/console',
    '/console/jobs/1',
    '/tools/rowpress/',
  ]) {
    const response = await fetch(url + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(response.headers.get('content-security-policy')).toBe(WEB_POLICY);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toContain('<head><base href="/tools/rowpress/">');
  }
  expect(WEB_POLICY).not.toContain('unsafe-inline');
});

test('[CON22] files: have their type; hashed ones are cached permanently, others are revalidated', async () => {
  const { url } = await startServer({ web: { root: webRoot(), fonts: new Map() } });
  const seen = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, { headers });
    await response.arrayBuffer();
    const of = (name: string) => response.headers.get(name);
    return [response.status, of('content-type')?.split(';')[0], of('cache-control'), of('content-encoding')];
  };
  const forEver = 'public, max-age=31536000, immutable';
  expect(await seen('/assets/worker-3c4d.mjs')).toEqual([200, 'text/javascript', forEver, null]);
  expect(await seen('/assets/engine-5e6f.wasm')).toEqual([200, 'application/wasm', forEver, null]);
  expect(await seen('/icon.svg')).toEqual([200, 'image/svg+xml', 'no-cache', null]);
  expect(await seen('/samples/letter.pdf')).toEqual([200, 'application/pdf', 'no-cache', null]);
  const brotli = await seen('/assets/app-1a2b.js', { 'accept-encoding': 'br' });
  expect(brotli).toEqual([200, expect.stringContaining('javascript'), forEver, 'br']);
  expect((await fetch(`${url}/assets/app-1a2b.js`)).headers.get('content-security-policy')).toBe(WEB_POLICY);
});

test('[CON22] any other path: is not served', async () => {
  const { url } = await startServer({ web: { root: webRoot(), fonts: new Map() } });
  for (const path of [
    '/assets/none.js',
    '/.built-from',
    '/assets/..%2f..%2f..%2fetc%2fpasswd',
    '/assets/%2e%2e/index.html.none',
    '/assets/',
    '/elsewhere',
  ])
    expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
  expect((await fetch(`${url}/editor`, { method: 'POST' })).status).toBe(405);
});

test('[OPS14] fonts: the installed ones are listed and served, and nothing else is', async () => {
  const root = webRoot();
  const file = join(root, 'samples/letter.pdf');
  const { url } = await startServer({ web: { root, fonts: new Map([['fonts/own/Own.ttf', file]]) } });
  expect(await (await fetch(`${url}/fonts/list.json`)).json()).toEqual(['fonts/own/Own.ttf']);
  const served = await fetch(`${url}/fonts/fonts/own/Own.ttf`);
  expect([served.status, await served.text()]).toEqual([200, '%PDF-1.7']);
  expect(served.headers.get('etag')).not.toBeNull();
  for (const path of ['Own.ttf', 'fonts/own/Other.ttf', '..%2fsamples%2fletter.pdf', ''])
    expect([path, (await fetch(`${url}/fonts/${path}`)).status]).toEqual([path, 404]);
});

test('[CON22] a new build: is served without a restart; without a build, the page explains how to build', async () => {
  const root = webRoot();
  const { url } = await startServer({ web: { root, fonts: new Map() } });
  writeFileSync(join(root, 'index.html'), '<html><head></head><body>a later build</body></html>');
  await expect.poll(async () => (await fetch(`${url}/`)).text()).toContain('a later build');
  const bare = await startServer({ web: { fonts: new Map(), root: join(root, 'nothing') } });
  expect(await (await fetch(`${bare.url}/`)).text()).toContain('npm run build');
});
