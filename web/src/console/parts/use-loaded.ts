import { useCallback, useEffect, useRef, useState } from 'react';

export interface Loaded<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  reload(): void;
}

interface Held<Data> {
  readonly key: string;
  readonly data: Data | undefined;
  readonly error: unknown;
}

/**
 * Loads data from the server when `key` changes, on `reload`, and every `everyMs` while the tab is visible. A response for an
 * earlier key is dropped. While the same key is loaded again, the old data stays, so nothing flickers.
 */
export function useLoaded<Data>(
  key: string,
  load: (signal: AbortSignal) => Promise<Data>,
  everyMs?: number,
): Loaded<Data> {
  const [turn, setTurn] = useState(0);
  const [held, setHeld] = useState<Held<Data>>({ key, data: undefined, error: undefined });
  const newest = useRef(load);
  newest.current = load;
  const reload = useCallback(() => setTurn((before) => before + 1), []);

  useEffect(() => {
    const asked = { key, turn };
    const leave = new AbortController();
    newest.current(leave.signal).then(
      (data) => !leave.signal.aborted && setHeld({ key: asked.key, data, error: undefined }),
      (error: unknown) =>
        !leave.signal.aborted &&
        setHeld((before) => ({ key, data: before.key === key ? before.data : undefined, error })),
    );
    return () => leave.abort();
  }, [key, turn]);

  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => !document.hidden && reload(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);

  const current = held.key === key ? held : undefined;
  return { data: current?.data, error: current?.error, reload };
}
