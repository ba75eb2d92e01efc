import { useCallback, useEffect, useRef, useState } from 'react';
import type { Page } from '#console/contract/list.ts';

export interface Pages<Item> {
  /** Undefined until the first page is loaded. */
  readonly items: readonly Item[] | undefined;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  more(): void;
  reload(): void;
  change(update: (items: readonly Item[]) => readonly Item[]): void;
}

interface Held<Item> {
  readonly key: string;
  readonly items: readonly Item[] | undefined;
  readonly cursor: string | null;
  readonly error: unknown;
}

/** A list read page by page. It starts over when `key` (the filter) changes. */
export function usePages<Item>(
  key: string,
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
): Pages<Item> {
  const empty: Held<Item> = { key, items: undefined, cursor: null, error: undefined };
  const [held, setHeld] = useState<Held<Item>>(empty);
  const [turn, setTurn] = useState(0);
  const [loadingMore, setLoadingMore] = useState(false);
  const newest = useRef(load);
  newest.current = load;
  const leaving = useRef(new AbortController());

  useEffect(() => {
    const asked = { key, turn };
    const leave = new AbortController();
    leaving.current = leave;
    setLoadingMore(false);
    newest.current(undefined, leave.signal).then(
      (page) =>
        !leave.signal.aborted &&
        setHeld({ key: asked.key, items: page.items, cursor: page.next_cursor, error: undefined }),
      (error: unknown) =>
        !leave.signal.aborted &&
        setHeld((before) => ({
          ...(before.key === key ? before : { ...before, items: undefined }),
          key,
          error,
        })),
    );
    return () => leave.abort();
  }, [key, turn]);

  const current = held.key === key ? held : empty;
  const more = () => {
    if (current.cursor === null || loadingMore) return;
    const { signal } = leaving.current;
    setLoadingMore(true);
    newest
      .current(current.cursor, signal)
      .then(
        (page) =>
          !signal.aborted &&
          setHeld((before) => ({
            ...before,
            items: [...(before.items ?? []), ...page.items],
            cursor: page.next_cursor,
            error: undefined,
          })),
        (error: unknown) => !signal.aborted && setHeld((before) => ({ ...before, error })),
      )
      .finally(() => setLoadingMore(false));
  };
  const change = useCallback((update: (items: readonly Item[]) => readonly Item[]) => {
    setHeld((before) => (before.items === undefined ? before : { ...before, items: update(before.items) }));
  }, []);
  return {
    items: current.items,
    error: current.error,
    hasMore: current.cursor !== null,
    loadingMore,
    more,
    reload: useCallback(() => setTurn((before) => before + 1), []),
    change,
  };
}
