import { readdirSync, readFileSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ShellRefusal } from '../translate-error.ts';

/** Everything from this server; no inline script or style. The engine's WebAssembly and its worker are files too. */
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

/** Addresses that the app itself tells apart. */
const APP_ROUTES = ['/', '/sign-in', '/editor', '/editor/*', '/console', '/console/*'];
/** Vite puts what has its content's hash in its name here. */
const HASHED = 'assets/';
/** RFC 9239: the one type of scripts, modules included, compressed or not. */
const SCRIPT = /\.m?js(\.br|\.gz)?$/;
const YEAR_SECONDS = 31_536_000;

/**
 * Serves the built web app; false when it is not there. Its page is one file for all of its addresses; `<base>` says where
 * this server stands, so that one build serves any path. Files that the build compressed beside themselves are sent so.
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
      throw new ShellRefusal('routeNotFound', 'There is nothing at this path.');
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

/** The page with its base, made again when a new build has replaced it. */
function readPage(basePath: string, root: string): (() => string) | undefined {
  const path = join(root, 'index.html');
  const writtenAt = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const read = () => readFileSync(path, 'utf8').replace(/<head>/i, `$&<base href="${basePath}/">`);
  let known = writtenAt();
  if (known === undefined) return undefined;
  let html = read();
  return () => {
    const now = writtenAt();
    // While a build is writing, the page that was there is good enough.
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
