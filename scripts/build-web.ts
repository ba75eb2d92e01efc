/**
 * Builds the editor and the console into `web/dist`, if what they are made from has changed since. Run by npm after an
 * install and before a start, so that `npm ci && npm start` is all a newcomer needs; `npm run build` does the same.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedFaces } from '../web/vite/bundled-faces.ts';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'web/dist/.built-from');

// The web app is built from its own files, the engine it shares with the server, the versions of its libraries, and the
// font files that are installed: a font package added later reaches the editor with the next start.
const SOURCES = [
  'scripts/build-web.ts',
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/vite',
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
  for (const { name } of installedFaces()) hash.update(name).update('\0');
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

// Whoever starts it, a test run included: what is built is what is shipped, never React's development build.
process.env.NODE_ENV = 'production';

const digest = digestOfSources();
const fresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
if (!fresh) {
  // Without the development packages there is nothing to build with; the server says so on its page.
  const vite = await import('vite').catch((error: Error) => error);
  if (vite instanceof Error)
    console.error(`web app: not built, because Vite cannot be loaded: ${vite.message.split('\n')[0]}`);
  else {
    const started = performance.now();
    await vite.build({ root: join(root, 'web'), logLevel: 'warn' });
    writeFileSync(stamp, digest);
    console.error(`web app: built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
}
