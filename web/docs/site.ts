import { startSearch } from './search.ts';

const THEMES = ['system', 'light', 'dark'] as const;
const THEME_KEY = 'rowpress.theme';

function startTheme(button: HTMLElement): void {
  const current = () => (document.documentElement.dataset.theme ?? 'system') as (typeof THEMES)[number];
  const show = () => button.setAttribute('aria-label', `Theme: ${current()}`);
  button.addEventListener('click', () => {
    const next = THEMES[(THEMES.indexOf(current()) + 1) % THEMES.length] ?? 'system';
    if (next === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    localStorage.setItem(THEME_KEY, next);
    show();
  });
  show();
}

/** On a phone, the navigation covers the page until a page is chosen or Escape is pressed. */
function startMenu(button: HTMLElement, navigation: HTMLElement): void {
  const open = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen));
    document.body.classList.toggle('menu-open', isOpen);
    if (isOpen) navigation.querySelector<HTMLElement>('a')?.focus();
  };
  button.addEventListener('click', () => open(button.getAttribute('aria-expanded') !== 'true'));
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !document.body.classList.contains('menu-open')) return;
    open(false);
    button.focus();
  });
  const here = navigation.querySelector<HTMLElement>('[aria-current]');
  if (here !== null) navigation.scrollTop = here.offsetTop - navigation.clientHeight / 2;
}

function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    block.append(button);
  }
}

/** Marks the heading that the reader has reached in the table of contents. */
function followScrolling(contents: HTMLElement): void {
  const links = new Map<string, HTMLAnchorElement>();
  for (const link of contents.querySelectorAll('a')) links.set(decodeURIComponent(link.hash.slice(1)), link);
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);
  const mark = () => {
    const top = 96;
    const reached =
      headings.filter((heading) => heading.getBoundingClientRect().top <= top).at(-1) ?? headings[0];
    for (const [id, link] of links) link.toggleAttribute('aria-current', id === reached?.id);
  };
  document.addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
  mark();
}

/** A target inside a folded part: opens the part. */
function openTarget(): void {
  const target =
    location.hash === '' ? null : document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = target?.parentElement; at; at = at.parentElement)
    if (at instanceof HTMLDetailsElement) at.open = true;
  target?.scrollIntoView();
}

const one = (selector: string) => document.querySelector<HTMLElement>(selector) as HTMLElement;
startTheme(one('.theme'));
startMenu(one('.menu'), one('#navigation'));
startSearch(one('#search') as HTMLInputElement, one('#results'), one('.announce'));
addCopyButtons();
followScrolling(one('aside.toc'));
if (location.hash !== '') openTarget();
window.addEventListener('hashchange', openTarget);
