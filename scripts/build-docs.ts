/**
 * Builds the documentation site into `build/docs` if its sources have changed. npm runs this after an install and before a
 * start.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const root = join(import.meta.dirname, '..');
const target = join(root, 'build/docs');
const stamp = join(target, '.built-from');

const SOURCES = [
  '*.md',
  'docs/**/*.md',
  'docs/*.json',
  '{examples,clients}/*/README.md',
  'fonts/README.md',
  'scripts/build-docs.ts',
  'scripts/docs/*.ts',
  'web/docs/*',
  'web/src/ui/tokens.css',
  'src/http/pages/page.ts',
  'package-lock.json',
];

const hash = createHash('sha256');
for (const path of globSync(SOURCES, { cwd: root }).sort())
  hash
    .update(path)
    .update('\0')
    .update(readFileSync(join(root, path)));
const digest = hash.digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
  const started = performance.now();
  // Without the development packages nothing can be built; the page of the server says so.
  const builder = await import('./docs/build-site.ts').catch((error: Error) => error);
  if (builder instanceof Error)
    console.error(`documentation: not built, because ${builder.message.split('\n')[0]}`);
  else {
    const { files, site } = await builder.buildSite(root);
    rmSync(target, { recursive: true, force: true });
    for (const [name, content] of files) {
      const path = join(target, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      if (/\.(css|js|json|txt)$/.test(name)) writeFileSync(`${path}.br`, compressed(content));
    }
    writeFileSync(stamp, digest);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.error(`documentation: ${site.pages.length} pages built in ${seconds} s`);
    for (const link of site.deadLinks) console.error(`documentation: dead link in ${link}`);
  }
}

/** At a level that compresses a megabyte in a few hundredths of a second. */
function compressed(content: string | Uint8Array): Buffer {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
}
