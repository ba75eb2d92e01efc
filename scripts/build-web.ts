/**
 * Builds the editor and the console into `web/dist` if their sources have changed. npm runs this after an install and
 * before a start, so that `npm ci && npm start` is enough; `npm run build` does the same.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'web/dist/.built-from');

// The web app depends on its own files, the engine it shares with the server and the versions of its libraries.
const SOURCES = [
  'scripts/build-web.ts',
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/vite',
  'fonts',
  'src/fill',
  'src/lib',
];

function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const source of [...SOURCES, 'package-lock.json']) {
    const path = join(root, source);
    if (!existsSync(path)) continue;
    for (const file of filesUnder(path)) hash.update(file).update('\0').update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesUnder(path: string): string[] {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch {
    return [path];
  }
}

// Always the production build that is shipped, even in a test run, never React's development build.
process.env.NODE_ENV = 'production';

const digest = digestOfSources();
const fresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
if (!fresh) {
  // Without the development packages nothing can be built; the page of the server says so.
  const vite = await import('vite').catch((error: Error) => error);
  if (vite instanceof Error)
    console.error(`web app: not built, because Vite failed to load: ${vite.message.split('\n')[0]}`);
  else {
    const started = performance.now();
    await vite.build({ root: join(root, 'web'), logLevel: 'warn' });
    writeFileSync(stamp, digest);
    console.error(`web app: built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
}
