import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ShellRefusal } from '../translate-error.ts';

/** Allows only files of this server, and no inline script or style. */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};
/** The folder of the files whose name contains the hash of their content. */
const HASHED = 'assets/';
const YEAR_SECONDS = 31_536_000;
const LLMS_TEXTS = ['llms.txt', 'llms-full.txt'];
/** The lists of the built error page, which the server replaces by those of its own surfaces. */
const ERROR_LISTS = /<!--error-lists-->[\s\S]*<!--\/error-lists-->/;

export interface DocsFiles {
  /** The directory of the built site. */
  readonly root: string;
  readonly basePath: string;
  /** The error codes of this server, as HTML. */
  readonly errorLists: string;
}

/**
 * Serves the built documentation at `/docs`, and `/llms.txt`. Returns false if it is not built. `<base>` contains the base
 * path of the server, so that one build works under any path.
 */
export function serveDocs(app: FastifyInstance, { root, basePath, errorLists }: DocsFiles): boolean {
  const files = filesIn(root);
  if (!files.has('index.html')) return false;

  const send = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const type = TYPES[extname(name)];
    if (type === undefined || !files.has(name))
      throw new ShellRefusal('routeNotFound', 'Nothing exists at this path.');
    const lasting = name.startsWith(HASHED) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache';
    reply.header('cache-control', lasting).header('content-security-policy', DOCS_POLICY).type(type);
    const path = join(root, name);
    if (name.endsWith('.html')) return reply.send(placed(await readFile(path, 'utf8'), basePath, errorLists));
    // Addresses in these texts start at the root of the server.
    if (/\.(txt|md)$/.test(name))
      return reply.send((await readFile(path, 'utf8')).replaceAll('](/', `](${basePath}/`));
    const compressed = files.has(`${name}.br`) && /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
    if (files.has(`${name}.br`)) reply.header('vary', 'accept-encoding');
    if (compressed) reply.header('content-encoding', 'br');
    return reply.send(await readFile(compressed ? `${path}.br` : path));
  };

  const hidden = { schema: { hide: true } };
  for (const url of ['/docs', '/docs/'])
    app.get(url, hidden, (request, reply) => send(request, reply, 'index.html'));
  app.get('/docs/*', hidden, (request, reply) => {
    const path = (request.params as { '*': string })['*'];
    return send(request, reply, files.has(`${path}.html`) ? `${path}.html` : path);
  });
  for (const name of LLMS_TEXTS) app.get(`/${name}`, hidden, (request, reply) => send(request, reply, name));
  return true;
}

function placed(html: string, basePath: string, errorLists: string): string {
  return html
    .replace('<head>', `<head>\n<base href="${basePath}/docs/">`)
    .replace(ERROR_LISTS, () => errorLists);
}

/** The names of the files, relative to the directory. Only these can be requested, so no path leads out of it. */
function filesIn(root: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(root, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
    return new Set(
      paths.map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, '/')),
    );
  } catch {
    return new Set();
  }
}
