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
 * What a screen reads from the server, read again when `key` changes, on `reload`, and (if asked for) every so often while
 * the tab is seen. An answer that arrives after its question has changed is dropped; while the same thing is read
 * again the old answer stays, so nothing flickers.
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
