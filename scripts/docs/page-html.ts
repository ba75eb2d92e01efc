import type { Group } from './navigation.ts';
import { addressOf, escapeHtml, type SitePage } from './site-page.ts';

/** The names of the site's files, which contain the hash of their content. */
export interface AssetNames {
  readonly style: string;
  readonly script: string;
  readonly theme: string;
  readonly icon: string;
}

export interface Neighbours {
  readonly previous: SitePage | undefined;
  readonly next: SitePage | undefined;
}

/**
 * The whole page. Addresses are relative to `/docs/`; the server adds the base address, so that one build works under any
 * path.
 */
export function pageHtml(
  page: SitePage,
  pages: readonly SitePage[],
  groups: readonly Group[],
  assets: AssetNames,
  { previous, next }: Neighbours,
): string {
  const title = page.slug === '' ? 'Rowpress documentation' : `${page.title} · Rowpress documentation`;
  const contents = page.headings.filter(({ level }) => level === 2 || level === 3);
  const toc = contents.length < 2 ? '' : tableOfContents(page, contents);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(page.lead)}">
<link rel="icon" href="${assets.icon}">
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.theme}"></script>
<script type="module" src="${assets.script}"></script>
</head>
<body>
<header class="bar">
<a class="skip" href="${addressOf(page.slug)}#content">Skip to the content</a>
<button type="button" class="icon menu" aria-expanded="false" aria-controls="navigation" aria-label="Menu">${MENU}</button>
<a class="brand" href="./"><img src="${assets.icon}" alt="" width="22" height="22">Rowpress <span>Docs</span></a>
<div class="search" role="search">
<input type="search" id="search" placeholder="Search" aria-label="Search the documentation" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
<div id="results" role="listbox" aria-label="Results" hidden></div>
<p class="announce" role="status"></p>
</div>
<button type="button" class="icon theme" aria-label="Theme: system">${THEME}</button>
<a class="app" href="../">Open Rowpress</a>
</header>
<div class="frame">
<nav id="navigation" aria-label="Pages">
${groups.map((group) => groupHtml(group, page, pages)).join('\n')}
</nav>
<main id="content" tabindex="-1">
${toc === '' ? '' : `<details class="toc-small"><summary>On this page</summary>${toc}</details>`}
<article${page.slug === '' ? ' class="home"' : ''}>
${page.html}
</article>
<footer class="pager">
${previous === undefined ? '<span></span>' : `<a rel="prev" href="${addressOf(previous.slug)}"><span>Previous</span>${escapeHtml(previous.title)}</a>`}
${next === undefined ? '' : `<a rel="next" href="${addressOf(next.slug)}"><span>Next</span>${escapeHtml(next.title)}</a>`}
</footer>
</main>
<aside class="toc" aria-label="On this page">
${toc === '' ? '' : `<p>On this page</p>${toc}`}
</aside>
</div>
</body>
</html>
`;
}

function groupHtml({ name, folded }: Group, page: SitePage, pages: readonly SitePage[]): string {
  const own = pages.filter(({ group }) => group === name);
  if (own.length === 0) return '';
  const items = own
    .map(({ slug, title }) => {
      const current = slug === page.slug ? ' aria-current="page"' : '';
      return `<li><a href="${addressOf(slug)}"${current}>${escapeHtml(title)}</a></li>`;
    })
    .join('');
  if (folded !== true) return `<h2>${name}</h2><ul>${items}</ul>`;
  return `<details${page.group === name ? ' open' : ''}><summary>${name}</summary><ul>${items}</ul></details>`;
}

function tableOfContents({ slug }: SitePage, headings: SitePage['headings']): string {
  const items = headings.map(
    ({ id, level, text }) =>
      `<li class="l${level}"><a href="${addressOf(slug, id)}">${escapeHtml(text)}</a></li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}

const icon = (path: string) =>
  `<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${path}</svg>`;
const MENU = icon('<path d="M4 7h16M4 12h16M4 17h16"/>');
const THEME = icon('<circle cx="12" cy="12" r="8"/><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor"/>');
