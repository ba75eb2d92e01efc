import { useSyncExternalStore } from 'react';
import { addressOf, basePath } from './base-path.ts';

/**
 * Where the person is, as the browser's own address. A route is a path under the base path; screens compare segments
 * themselves, so there is no table to keep in step with them.
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

/** Whether the screen was come to inside the app. On the first load of the page the browser's own start is right. */
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
