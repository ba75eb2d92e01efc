import type { FastifyInstance } from 'fastify';
import type { Dialects } from '../dialects/dialects.ts';
import { docsMissingPage } from './docs-missing.ts';
import { errorListPage, errorLists } from './error-list.ts';
import { PAGE_POLICY } from './page.ts';
import { serveDocs } from './serve-docs.ts';
import { serveFonts } from './serve-fonts.ts';
import { serveWebApp } from './serve-web-app.ts';
import { welcomePage } from './welcome.ts';

/** What is built: the web app, the font files that it draws with, by id, and the documentation. */
export interface WebFiles {
  readonly root: string;
  /** The directory of the documentation; without it, `/docs` says how to build it. */
  readonly docs?: string;
  readonly fonts: ReadonlyMap<string, string>;
}

/** Serves the documentation and the web app, or pages that say how to build them. Returns whether the web app is built. */
export async function servePages(
  app: FastifyInstance,
  dialects: Dialects,
  basePath: string,
  web: WebFiles | undefined,
): Promise<boolean> {
  const page = (url: string, html: string) =>
    app.get(url, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .header('content-security-policy', PAGE_POLICY)
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(html),
    );
  const docs = web?.docs;
  const documented =
    docs !== undefined && serveDocs(app, { root: docs, basePath, errorLists: errorLists(dialects) });
  if (!documented) {
    for (const url of ['/docs', '/docs/']) page(url, docsMissingPage(basePath));
    page('/docs/errors', errorListPage(dialects, basePath));
  }
  const served = web !== undefined && (await serveWebApp(app, basePath, web.root));
  if (served) serveFonts(app, web.fonts);
  else page('/', welcomePage(basePath, dialects.fallback.errors.dialect));
  return served;
}
