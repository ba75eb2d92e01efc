import { Marked, type Token, type Tokens } from 'marked';
import { highlight } from './highlight.ts';
import { Anchors, escapeHtml, type Heading, type SearchSection, textOf } from './site-page.ts';

export interface RenderedMarkdown {
  readonly title: string;
  readonly lead: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly SearchSection[];
  readonly anchors: readonly string[];
}

/** Returns the address of a link, or undefined if its target is not on the site. */
export type ResolveLink = (href: string) => string | undefined;

/** `- **JOB8** …` and `| \`CODE\` | …`: what others link to. */
const RULE = /^\*\*([A-Z]+\d+)\*\*/;
const CODE_CELL = /^`([\w-]+)`$/;

/** Renders a Markdown file. `here` is the page's own address: with a base address, `#anchor` alone would leave the page. */
export function renderMarkdown(text: string, here: string, resolve: ResolveLink): RenderedMarkdown {
  const anchors = new Anchors();
  const headings: Heading[] = [];
  const ids: string[] = [];
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens);
        const shown = textOf(html);
        const id = anchors.of(shown);
        headings.push({ id, level: depth, text: shown });
        if (depth === 1) return `<h1 id="${id}">${html}</h1>\n`;
        return `<h${depth} id="${id}">${html}<a class="anchor" href="${here}#${id}" aria-label="Link to ${escapeHtml(shown)}">#</a></h${depth}>\n`;
      },
      code: ({ text: code, lang }: Tokens.Code) => codeBlock(code, lang),
      link({ href, tokens }: Tokens.Link) {
        const html = this.parser.parseInline(tokens);
        const target = resolve(href);
        if (target === undefined) return html;
        const outside = /^https?:/.test(target) ? ' rel="noreferrer"' : '';
        return `<a href="${escapeHtml(target)}"${outside}>${html}</a>`;
      },
      image: ({ text: alt }: Tokens.Image) => escapeHtml(alt),
      // Comments mark the blocks that the tests run.
      html: ({ text: html }: Tokens.HTML | Tokens.Tag) => html.replaceAll(/<!--[\s\S]*?-->\n?/g, ''),
      listitem(item: Tokens.ListItem) {
        const id = RULE.exec(item.text)?.[1];
        if (id !== undefined) ids.push(id);
        const mark = id === undefined ? '' : ` id="${id}"`;
        return `<li${mark}>${this.parser.parse(item.tokens)}</li>\n`;
      },
      table({ header, rows }: Tokens.Table) {
        const cell = (tag: string, { tokens }: Tokens.TableCell) =>
          `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(tokens)}</${tag}>`;
        const body = rows.map((row) => {
          const id = CODE_CELL.exec(row[0]?.text ?? '')?.[1];
          const own = id !== undefined && !ids.includes(id);
          if (own) ids.push(id);
          return `<tr${own ? ` id="${id}"` : ''}>${row.map((one) => cell('td', one)).join('')}</tr>`;
        });
        // A header without a text is an empty cell, not a header.
        const head = header.map((one) => cell(one.text === '' ? 'td' : 'th', one)).join('');
        return tableHtml(`<thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody>`);
      },
    },
  });
  const sections: SearchSection[] = [];
  let html = '';
  for (const { heading, tokens } of splitAtHeadings(marked.lexer(text))) {
    const opening = heading === undefined ? '' : marked.parser([heading]);
    const body = marked.parser(tokens);
    html += opening + body;
    const at = headings.at(-1);
    sections.push({ id: at?.level === 1 ? '' : (at?.id ?? ''), heading: at?.text ?? '', text: textOf(body) });
  }
  const lead = textOf(/<p>([\s\S]*?)<\/p>/.exec(html)?.[1] ?? '');
  const title = headings.find(({ level }) => level === 1)?.text ?? '';
  return { title, lead, html, headings, sections, anchors: ids };
}

/** A table that scrolls by itself where it is wider than the page. */
export const tableHtml = (inner: string) =>
  `<div class="table" role="group" aria-label="Table" tabindex="0"><table>${inner}</table></div>\n`;

export function codeBlock(code: string, language: string | undefined): string {
  return `<div class="code"><pre tabindex="0"><code>${highlight(code, language)}</code></pre></div>\n`;
}

function splitAtHeadings(tokens: readonly Token[]): { heading?: Token; tokens: Token[] }[] {
  const parts: { heading?: Token; tokens: Token[] }[] = [{ tokens: [] }];
  for (const token of tokens) {
    if (token.type === 'heading') parts.push({ heading: token, tokens: [] });
    else parts.at(-1)?.tokens.push(token);
  }
  return parts;
}

/** Keeps the first heading, the text below it up to the first HTML block, and the named second-level headings. */
export function keepSections(text: string, names: readonly string[]): string {
  const [opening = '', ...sections] = text.split(/^(?=## )/m);
  const kept = names.map((name) => sections.find((section) => section.startsWith(`## ${name}\n`)));
  const missing = names.filter((_, index) => kept[index] === undefined);
  if (missing.length > 0) throw new Error(`no heading "${missing.join('", "')}"`);
  return [opening.split(/^<picture>/m)[0], ...kept].join('');
}
