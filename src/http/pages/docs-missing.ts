import { page } from './page.ts';

/** The page at `/docs` if the documentation is not built. */
export function docsMissingPage(basePath: string): string {
  return page({
    title: 'Documentation · Rowpress',
    body: `
<p><a href="${basePath}/">Rowpress</a></p>
<h1>Documentation</h1>
<p class="lead">The documentation is not built here yet. Build it and start again:</p>
<pre><code>npm run build</code></pre>
<p>These work without it: <a href="${basePath}/docs/errors">error codes</a>, <a href="${basePath}/openapi.json">OpenAPI document</a>.</p>`,
  });
}
