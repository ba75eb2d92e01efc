import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Serves the repository's modules to a browser without a bundler: strips types as Node does, and turns package names
 * in imports into paths. The browser therefore runs the same files as Node.
 */
export interface SourceServer {
  readonly url: string;
  close(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.ts': 'text/javascript',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

export async function serveSources(page: string): Promise<SourceServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/') {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
      return;
    }
    const asked = path.join(ROOT, path.normalize(decodeURIComponent(pathname)));
    // Modules within a package import each other without an extension, as bundlers allow.
    const file = path.extname(asked) === '' ? `${asked}.js` : asked;
    if (!/^\/(src|fonts|node_modules|test\/support)\//.test(pathname) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const extension = path.extname(file);
    response.setHeader('content-type', TYPES[extension] ?? 'application/octet-stream');
    if (TYPES[extension] !== 'text/javascript') {
      response.end(readFileSync(file));
      return;
    }
    const source = readFileSync(file, 'utf8');
    const script = extension === '.ts' ? stripTypeScriptTypes(source, { mode: 'strip' }) : source;
    response.end(withPaths(asModule(script), file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const ES_MODULE = /\bexport\s*(?:[{*]|default\b|const\b|class\b|function\b|async\b|let\b)|^import\b/m;
const REQUIRED = /\brequire\(\s*(["'])([^"'\n]+)\1\s*\)/g;

/** Wraps a CommonJS module as the ES module that Node creates, as far as our packages need: its exports are the default. */
function asModule(script: string): string {
  if (ES_MODULE.test(script) || !/\bexports\b/.test(script)) return script;
  const names = [...new Set(Array.from(script.matchAll(REQUIRED), ([, , name]) => name ?? ''))];
  const imports = names.map((name, index) => `import required${index} from ${JSON.stringify(name)};`);
  const found = names.map((name, index) => `${JSON.stringify(name)}: required${index}`);
  return [
    ...imports,
    `const require = (name) => ({ ${found.join(', ')} })[name];`,
    'const module = { exports: {} }; const exports = module.exports;',
    script,
    'export default module.exports;',
  ].join('\n');
}

/** `import … from 'name'`, `export … from 'name'`, `import 'name'` and `import('name')` with a package's name or `#…`. */
const BARE_IMPORT = /(\bfrom\s*|\bimport\s*\(?\s*)(["'])([@#a-z][^"'\n]*)\2/g;

function withPaths(script: string, importer: string): string {
  return script.replaceAll(BARE_IMPORT, (whole, keyword: string, _quote, name: string) => {
    const file = packageFile(name, importer);
    return file === undefined ? whole : `${keyword}"/${file}"`;
  });
}

function packageFile(name: string, importer: string): string | undefined {
  if (name.startsWith('#')) return `src/${name.slice(1)}`;
  const [, id = '', rest = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(name) ?? [];
  for (
    let folder = path.dirname(importer);
    folder.startsWith(path.dirname(ROOT));
    folder = path.dirname(folder)
  ) {
    const home = path.join(folder, 'node_modules', id);
    if (!existsSync(path.join(home, 'package.json'))) continue;
    const manifest = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as Manifest;
    const target = entryOf(manifest, `.${rest}`);
    return target === undefined ? undefined : path.relative(ROOT, path.join(home, target));
  }
  return undefined;
}

interface Manifest {
  readonly exports?: Target | Readonly<Record<string, Target>>;
  readonly module?: string;
  readonly main?: string;
}
type Target = string | { readonly [condition: string]: Target };

function entryOf({ exports, module, main }: Manifest, subpath: string): string | undefined {
  if (exports === undefined) return subpath === '.' ? (module ?? main ?? 'index.js') : subpath;
  const keyed = typeof exports === 'object' && Object.keys(exports).some((key) => key.startsWith('.'));
  const target = keyed ? (exports as Record<string, Target>)[subpath] : exports;
  return target === undefined ? undefined : chosen(target);
}

function chosen(target: Target): string | undefined {
  if (typeof target === 'string') return target;
  for (const condition of ['browser', 'import', 'default']) {
    const next = target[condition];
    const found = next === undefined ? undefined : chosen(next);
    if (found !== undefined) return found;
  }
  return undefined;
}
