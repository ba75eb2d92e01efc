import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS, type SearchDocument } from '../../web/docs/search-options.ts';
import { addressOf, type SitePage } from './site-page.ts';

/** Groups whose pages rank below the others, because readers of guides rarely look for them. */
const LOW = new Set(['Rules', 'Decisions', 'Measurements', 'Project']);

/** The search index as JSON: one document per heading. */
export function searchIndex(pages: readonly SitePage[]): string {
  const index = new MiniSearch<SearchDocument>(SEARCH_OPTIONS);
  const documents = pages.flatMap((page) =>
    page.sections.flatMap(({ id, heading, text }): SearchDocument[] => {
      if (heading === '') return [];
      return [
        {
          id: addressOf(page.slug, id === '' ? undefined : id),
          title: page.title,
          heading,
          group: page.group,
          text,
          low: LOW.has(page.group) ? 1 : 0,
        },
      ];
    }),
  );
  const ids = new Set<string>();
  index.addAll(documents.filter(({ id }) => !ids.has(id) && ids.add(id)));
  return JSON.stringify(index);
}
