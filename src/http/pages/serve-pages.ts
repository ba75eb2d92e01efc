import type { FastifyInstance } from 'fastify';
import { errorListPage } from './error-list.ts';
import { PAGE_POLICY } from './page.ts';
import { welcomePage } from './welcome.ts';

export function servePages(app: FastifyInstance, basePath: string): void {
  const pages: readonly [string, string][] = [
    ['/', welcomePage(basePath)],
    ['/docs/errors', errorListPage(basePath)],
  ];
  for (const [url, html] of pages)
    app.get(url, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .header('content-security-policy', PAGE_POLICY)
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(html),
    );
}
