import type { FastifyInstance } from 'fastify';
import type { Dialects } from '../dialects/dialects.ts';
import { errorListPage } from './error-list.ts';
import { PAGE_POLICY } from './page.ts';
import { serveWebApp } from './serve-web-app.ts';
import { welcomePage } from './welcome.ts';

/** Serves the web app if it is built, else a page that says how to build it. */
export async function servePages(
  app: FastifyInstance,
  dialects: Dialects,
  basePath: string,
  webRoot: string | undefined,
): Promise<void> {
  const page = (url: string, html: string) =>
    app.get(url, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .header('content-security-policy', PAGE_POLICY)
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(html),
    );
  page('/docs/errors', errorListPage(dialects, basePath));
  const served = webRoot !== undefined && (await serveWebApp(app, basePath, webRoot));
  if (!served) page('/', welcomePage(basePath, dialects.fallback.errors.dialect));
}
