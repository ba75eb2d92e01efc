import type { DialectSpec } from '../dialects/dialect-spec.ts';
import type { Dialects } from '../dialects/dialects.ts';
import { escapeHtml, page } from './page.ts';

/** The page that problem types point to: `/docs/errors#code`. */
export function errorListPage(dialects: Dialects, basePath: string): string {
  const sections = dialects.all.map(section).join('\n');
  return page({
    title: 'Errors · Rowpress',
    wide: true,
    body: `
<p><a href="${basePath}/">Rowpress</a></p>
<h1>Errors</h1>
<p class="lead">Match on the code; the message is for people and may change.</p>
${sections}`,
  });
}

function section({ title: heading, prefix, errors }: DialectSpec): string {
  const rows = Object.entries(errors.codes)
    .map(([code, { status, retryable, title }]) => {
      const cells = [`<code>${code}</code>`, status, escapeHtml(title), retryable ? 'yes' : 'no'];
      return `<tr id="${code}">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    })
    .join('\n');
  const head = ['Code', 'Status', 'Meaning', 'Retry'].map((cell) => `<th scope="col">${cell}</th>`).join('');
  return `<h2>${heading} (${prefix})</h2>\n<table><thead><tr>${head}</tr></thead><tbody>\n${rows}\n</tbody></table>`;
}
