import { readdirSync, readFileSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ShellRefusal } from '../translate-error.ts';

/** Allows only files of this server, and no inline script or style. The WebAssembly of the engine and its worker are files too. */
export const WEB_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self' data: blob:",
  "connect-src 'self' blob: data:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self' blob:",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Paths that the app itself routes. */
const APP_ROUTES = ['/', '/sign-in', '/editor', '/editor/*', '/console', '/console/*'];
/** Vite's folder for files whose name contains the hash of their content. */
const HASHED = 'assets/';
/** RFC 9239: the media type of all scripts, including modules. */
const SCRIPT = /\.m?js(\.br|\.gz)?$/;
const YEAR_SECONDS = 31_536_000;

/**
 * Serves the built web app. Returns false if it is not built. One page serves all of its paths; `<base>` contains the
 * base path of the server, so that one build works under any path. Files with a compressed copy are sent compressed.
 */
export async function serveWebApp(app: FastifyInstance, basePath: string, root: string): Promise<boolean> {
  const page = readPage(basePath, root);
  if (page === undefined) return false;
  await app.register(fastifyStatic, {
    root,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      if (SCRIPT.test(path)) reply.header('content-type', 'text/javascript; charset=utf-8');
    },
  });
  const hidden = { schema: { hide: true } };

  const sendFile = async (reply: FastifyReply, path: string) => {
    const file = resolve(root, path);
    if (!file.startsWith(`${resolve(root)}${sep}`) || !(await isFile(file)))
      throw new ShellRefusal('routeNotFound', 'Nothing exists at this path.');
    const lasting = path.startsWith(HASHED) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache';
    return reply
      .header('content-security-policy', WEB_POLICY)
      .header('cache-control', lasting)
      .sendFile(path);
  };
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const { name } = entry;
    if (name.startsWith('.') || name === 'index.html' || /\.(br|gz)$/.test(name)) continue;
    if (entry.isDirectory())
      app.get(`/${name}/*`, hidden, (request, reply) =>
        sendFile(reply, `${name}/${(request.params as { '*': string })['*']}`),
      );
    else app.get(`/${name}`, hidden, (_request, reply) => sendFile(reply, name));
  }
  for (const url of APP_ROUTES)
    app.get(url, hidden, async (_request, reply) =>
      reply
        .header('content-security-policy', WEB_POLICY)
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(page()),
    );
  return true;
}

/** Returns the page with its base, and reads it again after a new build. */
function readPage(basePath: string, root: string): (() => string) | undefined {
  const path = join(root, 'index.html');
  const writtenAt = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const read = () => readFileSync(path, 'utf8').replace(/<head>/i, `$&<base href="${basePath}/">`);
  let known = writtenAt();
  if (known === undefined) return undefined;
  let html = read();
  return () => {
    const now = writtenAt();
    // While a build writes, the previous page is served.
    if (now !== undefined && now !== known) {
      html = read();
      known = now;
    }
    return html;
  };
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
