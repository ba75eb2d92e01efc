import { useSyncExternalStore } from 'react';
import { addressOf, basePath } from './base-path.ts';

/**
 * The current route, as in the browser's address. A route is a path under the base path; screens compare its segments
 * themselves, so there is no route table.
 */
export interface Place {
  /** Without the base path: `/console/jobs/42`. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

const listeners = new Set<() => void>();
let place = readPlace();
let moved = false;

function readPlace(): Place {
  const { pathname, search } = window.location;
  const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) || '/' : pathname;
  const segments = path.split('/').filter(Boolean).map(decodeURIComponent);
  return { path, segments, query: new URLSearchParams(search) };
}

function announce(): void {
  place = readPlace();
  for (const listener of listeners) listener();
}

window.addEventListener('popstate', () => {
  moved = true;
  announce();
});

/** Whether the user has navigated inside the app. On the first load of the page the browser sets the focus. */
export const hasMoved = (): boolean => moved;

export function go(path: string, { replace = false } = {}): void {
  const address = addressOf(path);
  moved = true;
  if (replace) window.history.replaceState(null, '', address);
  else window.history.pushState(null, '', address);
  announce();
}

export function usePlace(): Place {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => place,
  );
}
