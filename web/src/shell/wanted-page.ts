import { basePath } from './base-path.ts';

const KEY = 'rowpress.wanted-page';

/** A page of the console, as a path of this app. Another address could lead to another site. */
export const isConsolePage = (path: string): boolean => /^\/console(?:[/?][^\\]*)?$/.test(path);

/** Remembers the console page that asks for a sign-in, for the sign-in in this tab. */
export function rememberWantedPage(): void {
  const { pathname, search } = window.location;
  const path = `${pathname.slice(basePath.length)}${search}`;
  if (isConsolePage(path)) sessionStorage.setItem(KEY, path);
}

/** Returns the remembered page once. */
export function takeWantedPage(): string | null {
  const path = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return path !== null && isConsolePage(path) ? path : null;
}
