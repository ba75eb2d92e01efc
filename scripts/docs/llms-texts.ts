import { GROUPS } from './navigation.ts';
import type { SitePage } from './site-page.ts';

const SUMMARY =
  'Rowpress is self-hosted software for bulk work that must happen exactly once: rows in, documents and records out. Bulk Fill turns a PDF, a layout and rows into one PDF per row. Subscribers imports and exports mailing lists. Ingest accepts master data.';
/** Groups that explain why and how it is built: only listed, under the heading that readers may skip. */
const OPTIONAL = new Set(['Project', 'Rules', 'Decisions', 'Measurements']);

/** `/llms.txt` (https://llmstxt.org): a list of the pages as Markdown. Addresses start at the server's root. */
export function llmsList(pages: readonly SitePage[]): string {
  const line = ({ slug, title, lead }: SitePage) =>
    `- [${title}](/docs/${slug === '' ? 'index' : slug}.md)${lead === '' ? '' : `: ${lead}`}`;
  const groups = GROUPS.filter(({ name }) => !OPTIONAL.has(name)).map(({ name }) => {
    const own = pages.filter(({ group }) => group === name);
    return own.length === 0 ? '' : `## ${name}\n\n${own.map(line).join('\n')}\n`;
  });
  const others = pages.filter(({ group }) => OPTIONAL.has(group));
  const programs =
    '## For programs\n\n- [OpenAPI document](/openapi.json)\n- [Error codes](/docs/errors.json): status, retry guidance and title of each code\n- [Layout schema](/schemas/layout.json): JSON Schema of a layout\n';
  return [
    `# Rowpress\n\n> ${SUMMARY}\n`,
    ...groups.filter((group) => group !== ''),
    programs,
    `## Optional\n\n${others.map(line).join('\n')}\n`,
  ].join('\n');
}

/** `/llms-full.txt`: the text of all pages that are not optional. */
export function llmsFull(pages: readonly SitePage[]): string {
  const texts = pages.filter(({ group }) => !OPTIONAL.has(group)).map(({ markdown }) => markdown.trim());
  return `${[`# Rowpress documentation\n\n> ${SUMMARY}`, ...texts].join('\n\n---\n\n')}\n`;
}
