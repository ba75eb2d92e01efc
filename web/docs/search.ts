import MiniSearch, { type SearchResult } from 'minisearch';
import { type Found, SEARCH_OPTIONS, type SearchDocument } from './search-options.ts';

const SHOWN = 12;
const EXCERPT = 130;

type Result = SearchResult & Found;

/** A search field with a list of results: `/` focuses it, arrows choose, Enter opens, Escape closes. */
export function startSearch(input: HTMLInputElement, list: HTMLElement, status: HTMLElement): void {
  let index: Promise<MiniSearch<SearchDocument>> | undefined;
  let chosen = -1;
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>('a[role="option"]')];

  const load = () => {
    index ??= fetch('search.json').then(async (response) =>
      MiniSearch.loadJSON(await response.text(), SEARCH_OPTIONS),
    );
    return index;
  };
  const choose = (next: number) => {
    const all = options();
    chosen = all.length === 0 ? -1 : (next + all.length) % all.length;
    for (const [at, option] of all.entries()) option.setAttribute('aria-selected', String(at === chosen));
    const at = all[chosen];
    if (at === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', at.id);
    at?.scrollIntoView({ block: 'nearest' });
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const show = async () => {
    const query = input.value.trim();
    if (query === '') {
      status.textContent = '';
      return close();
    }
    const found = find(await load(), query);
    // A later key stroke has its own results.
    if (query !== input.value.trim()) return;
    list.replaceChildren(
      ...(found.length === 0 ? [nothing(query)] : found.map((one, at) => option(one, at, query))),
    );
    status.textContent = found.length === 0 ? 'No results' : `${found.length} results`;
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    choose(0);
  };

  input.addEventListener('focus', () => void load());
  input.addEventListener('input', () => void show());
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      choose(chosen + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter') options()[chosen]?.click();
    else if (event.key === 'Escape') {
      if (list.hidden) input.blur();
      close();
    }
  });
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !list.contains(target) && target !== input) close();
  });
  list.addEventListener('click', close);
}

function find(index: MiniSearch<SearchDocument>, query: string): Result[] {
  const results = index.search(query, {
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    boost: { title: 3, heading: 4 },
    combineWith: 'AND',
    boostDocument: (_id, _term, stored) => (stored?.low === 1 ? 0.4 : 1),
  }) as Result[];
  return results.slice(0, SHOWN);
}

function option({ id, title, heading, group, text, terms }: Result, at: number, query: string): HTMLElement {
  const link = document.createElement('a');
  link.href = id;
  link.id = `result-${at}`;
  link.setAttribute('role', 'option');
  link.tabIndex = -1;
  const name = element('span', 'found-name', heading);
  const place = element('span', 'found-place', heading === title ? group : `${group} › ${title}`);
  link.append(name, place, excerpt(text, [...query.toLowerCase().split(/\s+/), ...terms]));
  return link;
}

/** The part of the text around the first word that was found, with the words marked. */
function excerpt(text: string, words: readonly string[]): HTMLElement {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const near = Math.min(...places, text.length - EXCERPT) - 40;
  const from = places.length === 0 || near <= 0 ? 0 : text.indexOf(' ', near) + 1;
  const part = `${from > 0 ? '… ' : ''}${text.slice(from, from + EXCERPT)}${from + EXCERPT < text.length ? ' …' : ''}`;
  const holder = element('span', 'found-text', '');
  const pattern = new RegExp(
    `(${
      words
        .filter((word) => word.length > 1)
        .map(escaped)
        .join('|') || '$^'
    })`,
    'gi',
  );
  for (const [index, piece] of part.split(pattern).entries())
    holder.append(index % 2 === 1 ? element('mark', '', piece) : piece);
  return holder;
}

const escaped = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function nothing(query: string): HTMLElement {
  const note = element(
    'p',
    'found-nothing',
    `No page contains “${query}”. Try another word, or fewer words.`,
  );
  note.setAttribute('role', 'option');
  note.setAttribute('aria-disabled', 'true');
  return note;
}

function element(tag: string, className: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.textContent = text;
  return made;
}
