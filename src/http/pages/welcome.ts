import { OWN_COMMAND } from '#lib/built-programs.ts';
import { VERSION } from '#lib/version.ts';
import { page } from './page.ts';

/** The page at the server's address if the web app is not built. `surface` is the one in the example. */
export function welcomePage(basePath: string, surface: string): string {
  const link = (path: string) => `<dt><a href="${basePath}${path}">${path}</a></dt>`;
  return page({
    title: 'Rowpress',
    body: `
<h1>Rowpress</h1>
<p class="lead">A self-hosted server for bulk work that must happen exactly once: rows in, documents and records out.</p>
<p>It is running. Send the same request twice and you get the same job, not a second one.</p>

<h2>Editor and console</h2>
<p>They are not built here yet. Build them and start again:</p>
<pre><code>npm run build</code></pre>

<h2>Make a first key</h2>
<pre><code>${OWN_COMMAND} keys create --surface ${surface} --account demo</code></pre>
<p>The key is shown once. Send it as <code>Authorization: Bearer …</code>.</p>

<h2>Where to go</h2>
<dl>
${link('/docs')}<dd>guides, concepts, settings and the API</dd>
${link('/docs/errors')}<dd>every error code, and how to retry it</dd>
${link('/openapi.json')}<dd>the API as an OpenAPI 3.1 document</dd>
${link('/readyz')}<dd>whether this server is ready to work</dd>
${link('/metrics')}<dd>what it has done, for Prometheus</dd>
</dl>
<footer>Rowpress ${VERSION}</footer>`,
  });
}
