import { shownRetry } from '#lib/errors/catalogue.ts';
import type { DialectSpec } from '../dialects/dialect-spec.ts';
import type { Dialects } from '../dialects/dialects.ts';
import { escapeHtml, page } from './page.ts';

/** The page that problem types point to, `/docs/errors#code`, if the documentation is not built. */
export function errorListPage(dialects: Dialects, basePath: string): string {
  return page({
    title: 'Errors · Rowpress',
    wide: true,
    body: `
<p><a href="${basePath}/">Rowpress</a></p>
<h1>Errors</h1>
<p class="lead">Match on the code; the message is for people and may change.</p>
${errorLists(dialects)}`,
  });
}

/** One table of codes per dialect. */
export function errorLists(dialects: Dialects): string {
  const ids = new Set<string>();
  return dialects.all.map((dialect) => section(dialect, ids)).join('\n');
}

/** A code that an earlier dialect has too is not an anchor: problem types name only the codes of their own dialect. */
function section({ title: heading, prefix, errors }: DialectSpec, ids: Set<string>): string {
  const rows = Object.entries(errors.codes)
    .map(([code, { status, retry, title }]) => {
      const cells = [`<code>${code}</code>`, status, escapeHtml(title), shownRetry[retry]];
      const id = ids.has(code) ? '' : ` id="${code}"`;
      ids.add(code);
      return `<tr${id}>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    })
    .join('\n');
  const head = ['Code', 'Status', 'Meaning', 'Retry'].map((cell) => `<th scope="col">${cell}</th>`).join('');
  const anchor = `${heading} (${prefix}/*)`
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
  return `<h2 id="${anchor}">${heading} (<code>${prefix}/*</code>)</h2>\n<div class="table" role="group" aria-label="${heading} errors" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>\n${rows}\n</tbody></table></div>`;
}
