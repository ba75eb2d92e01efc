/** A heading of a page, with the anchor that GitHub gives it. */
export interface Heading {
  readonly id: string;
  readonly level: number;
  readonly text: string;
}

/** The text below one heading, as the search finds it. */
export interface SearchSection {
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

/** A page of the documentation site. */
export interface SitePage {
  /** The path below `/docs/`; empty for the first page. */
  readonly slug: string;
  readonly title: string;
  /** The first paragraph as plain text. */
  readonly lead: string;
  readonly group: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly SearchSection[];
  /** Anchors besides the headings, such as rule ids and error codes. */
  readonly anchors: readonly string[];
  /** The text for programs (`llms-full.txt`, `/docs/<slug>.md`). */
  readonly markdown: string;
}

/** The address of a page, relative to `/docs/`. */
export const addressOf = (slug: string, anchor?: string) =>
  `${slug === '' ? './' : slug}${anchor === undefined ? '' : `#${anchor}`}`;

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The text of a fragment, without its tags. Between blocks, a tag separates words. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<\/?(?:code|a|strong|em|span|kbd|wbr)\b[^>]*>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Gives headings the anchors that GitHub gives them, so that one link works in both places. */
export class Anchors {
  readonly #used = new Map<string, number>();

  of(heading: string): string {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = this.#used.get(anchor) ?? 0;
    this.#used.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  }
}
