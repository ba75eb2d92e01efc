import type { Options } from 'minisearch';

/** The text below one heading of a page. */
export interface SearchDocument {
  /** Its address, relative to `/docs/`. */
  readonly id: string;
  readonly title: string;
  readonly heading: string;
  readonly group: string;
  readonly text: string;
  /** 1 for pages that rank below the others. */
  readonly low: number;
}

export type Found = Pick<SearchDocument, 'id' | 'title' | 'heading' | 'group' | 'text' | 'low'>;

/** The same when the index is built and when it is loaded. */
export const SEARCH_OPTIONS: Options<SearchDocument> = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'group', 'text', 'low'],
  // Codes and settings such as EXPORT_FAILED are words, and so are their parts.
  tokenize: (text) =>
    text
      .split(/[\s,.;:!?"'`()[\]{}<>/|=]+/)
      .flatMap((word) => [word, ...(/[_-]/.test(word) ? word.split(/[_-]+/) : [])]),
  processTerm: (term) => (term.length < 2 ? null : term.toLowerCase()),
};
