import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ICON } from '#http/pages/page.ts';
import { apiPages } from './api-pages.ts';
import { bundleSite } from './bundle-site.ts';
import { llmsFull, llmsList } from './llms-texts.ts';
import {
  API_GROUP,
  GROUPS,
  LISTED_FOLDERS,
  type PageSource,
  pageSources,
  SERVED_FILES,
} from './navigation.ts';
import type { OpenapiDocument } from './openapi-model.ts';
import { pageHtml } from './page-html.ts';
import { keepSections, renderMarkdown } from './render-markdown.ts';
import { searchIndex } from './search-index.ts';
import { addressOf, escapeHtml, type SitePage } from './site-page.ts';

/** Markdown files that are pages. Pictures are not part of the site, so neither is the page that shows them. */
const MARKDOWN = ['*.md', 'docs/**/*.md', '{examples,clients}/*/README.md', 'fonts/README.md'];
const NO_PAGES = new Set(['docs/screens.md']);

export interface Site {
  readonly pages: readonly SitePage[];
  /** `page: link` for each link whose file or anchor does not exist. */
  readonly deadLinks: readonly string[];
}

/** Makes the pages from the Markdown files and the OpenAPI document of the checkout at `root`. */
export function collectPages(root: string): Site {
  const files = globSync(MARKDOWN, { cwd: root }).sort();
  const sources = pageSources(files.filter((path) => !NO_PAGES.has(path)));
  const slugs = new Map(sources.map(({ path, slug }) => [path, slug]));
  const links: { from: string; slug: string; anchor: string | undefined }[] = [];
  const dead: string[] = [];

  const fromFile = ({ slug, path, group, title, only }: PageSource): SitePage => {
    const text = readFileSync(join(root, path), 'utf8');
    const markdown = only === undefined ? text : keepSections(text, only);
    const resolve = (href: string): string | undefined => {
      if (/^[a-z]+:/.test(href)) return href;
      const [file = '', anchor] = href.split('#');
      const target = file === '' ? path : normalize(join(dirname(path), file)).replace(/\/$/, '');
      const page = slugs.get(target) ?? LISTED_FOLDERS[target]?.slug;
      if (page !== undefined) {
        links.push({ from: path, slug: page, anchor });
        return addressOf(page, anchor);
      }
      if (!existsSync(join(root, target))) dead.push(`${path}: ${href}`);
      return SERVED_FILES[target];
    };
    const rendered = renderMarkdown(markdown, addressOf(slug), resolve);
    return {
      ...rendered,
      slug,
      group,
      title: title ?? shortTitle(rendered.title),
      markdown: withoutComments(markdown),
    };
  };

  const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as OpenapiDocument;
  const made = [...sources.map(fromFile), ...apiPages(document)];
  const lists = Object.entries(LISTED_FOLDERS).map(([folder, list]) =>
    listPage(
      list,
      made.filter(({ slug }) => slugs.get(`${folder}/${slug.split('/').at(-1)}.md`) === slug),
    ),
  );
  const all = [...lists, ...made];
  const pages = GROUPS.flatMap(({ name }) => all.filter(({ group }) => group === name));
  const anchorsOf = new Map(
    pages.map(({ slug, headings, anchors }) => [
      slug,
      new Set([...headings.map(({ id }) => id), ...anchors]),
    ]),
  );
  for (const { from, slug, anchor } of links)
    if (anchor !== undefined && anchorsOf.get(slug)?.has(anchor) !== true)
      dead.push(`${from}: ${slug}#${anchor}`);
  const served = new Set(Object.values(SERVED_FILES));
  for (const { slug, html } of pages.filter(({ group }) => group === API_GROUP || group === 'Start'))
    for (const [, href = ''] of html.matchAll(/href="([^"#:]*)(?:#[^"]*)?"/g))
      if (!href.startsWith('..') && href !== './' && !served.has(href) && !anchorsOf.has(href))
        dead.push(`${slug}: ${href}`);
  return { pages, deadLinks: dead };
}

/** Returns all files of the site by their path. */
export async function buildSite(
  root: string,
): Promise<{ site: Site; files: Map<string, string | Uint8Array> }> {
  const site = collectPages(root);
  const { pages } = site;
  const bundled = await bundleSite(root);
  const assets = { ...bundled.names, icon: `assets/icon-${hashOf(ICON)}.svg` };
  const files = new Map<string, string | Uint8Array>(bundled.files);
  files.set(assets.icon, ICON);
  for (const [index, page] of pages.entries()) {
    const neighbours = { previous: pages[index - 1], next: pages[index + 1] };
    const name = page.slug === '' ? 'index' : page.slug;
    files.set(
      `${name}.html`,
      pageHtml(
        page.slug === 'errors' ? { ...page, html: withMarkedLists(page.html) } : page,
        pages,
        GROUPS,
        assets,
        neighbours,
      ),
    );
    files.set(`${name}.md`, page.markdown);
  }
  files.set('search.json', searchIndex(pages));
  files.set('errors.json', readFileSync(join(root, 'docs/errors.json')));
  files.set('llms.txt', llmsList(pages));
  files.set('llms-full.txt', llmsFull(pages));
  return { site, files };
}

export const hashOf = (content: string | Uint8Array) =>
  createHash('sha256').update(content).digest('hex').slice(0, 10);

function listPage(
  { slug, group, lead }: { slug: string; group: string; lead: string },
  pages: readonly SitePage[],
): SitePage {
  const items = pages.map((page) => `<li><a href="${page.slug}">${escapeHtml(page.title)}</a></li>`);
  return {
    slug,
    title: `All ${group.toLowerCase()}`,
    lead,
    group,
    html: `<h1 id="${slug}">${group}</h1>\n<p class="lead">${lead}</p>\n<ul>${items.join('\n')}</ul>`,
    headings: [{ id: slug, level: 1, text: group }],
    sections: [{ id: '', heading: group, text: lead }],
    anchors: [],
    markdown: `# ${group}\n\n${lead}\n\n${pages.map(({ title, slug: page }) => `- [${title}](/docs/${page}.md)`).join('\n')}\n`,
  };
}

/** `0128. Encrypted blobs` and `Contract: jobs` are too long for the navigation. */
function shortTitle(title: string): string {
  return title.replace(/^(Contract|Benchmark)s?: /i, '').replace(/^(\w)/, (first) => first.toUpperCase());
}

const withoutComments = (markdown: string) => markdown.replaceAll(/^<!--.*-->\n/gm, '');

/** Marks the lists of the surfaces and the console, which the server replaces by those of the surfaces that it serves. */
function withMarkedLists(html: string): string {
  const start = html.indexOf('<h2');
  const end = html.indexOf('<h2 id="the-command-line');
  if (start < 0 || end <= start) throw new Error('the error page has no lists');
  return `${html.slice(0, start)}<!--error-lists-->${html.slice(start, end)}<!--/error-lists-->${html.slice(end)}`;
}
