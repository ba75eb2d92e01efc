import { type CatalogueEntry, catalogue, type Dialect } from '#lib/errors/catalogue.ts';
import { escapeHtml, page } from './page.ts';

const HEADINGS: Readonly<Record<Dialect, string>> = {
  bulkfill: 'Bulk Fill (/v1/bulkfill)',
  subscribers: 'Subscribers (/v1)',
  ingest: 'Ingest (/wms-ingest/v1)',
  console: 'Operator API (/operator/v1)',
};

/** The page that problem types point to: `/docs/errors#code`. */
export function errorListPage(basePath: string): string {
  const sections = (Object.keys(HEADINGS) as Dialect[]).map(section).join('\n');
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

function section(dialect: Dialect): string {
  const rows = Object.entries<CatalogueEntry>(catalogue[dialect])
    .map(([code, { status, retryable, title }]) => {
      const cells = [`<code>${code}</code>`, status, escapeHtml(title), retryable ? 'yes' : 'no'];
      return `<tr id="${code}">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    })
    .join('\n');
  const head = ['Code', 'Status', 'Meaning', 'Retry'].map((cell) => `<th scope="col">${cell}</th>`).join('');
  return `<h2>${HEADINGS[dialect]}</h2>\n<table><thead><tr>${head}</tr></thead><tbody>\n${rows}\n</tbody></table>`;
}
