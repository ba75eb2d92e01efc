import { useEffect, useRef, useState } from 'react';
import { engine } from '../engine/engine-client.ts';
import { tellError } from '../ui/messages.tsx';

/** Fetches rows from the worker page by page as the table scrolls, and caches the newest pages. */
const PAGE_ROWS = 100;
const KEPT_PAGES = 30;
type Cells = readonly string[];

/** Returns the cells of a row if they are cached; `first`..`last` (from 0) are the visible rows. */
export function useRowPages(first: number, last: number): (index: number) => Cells | undefined {
  const pages = useRef(new Map<number, readonly Cells[]>());
  const [, setArrived] = useState(0);
  useEffect(() => {
    for (let page = Math.floor(first / PAGE_ROWS); page <= Math.floor(last / PAGE_ROWS); page += 1) {
      if (pages.current.has(page)) continue;
      pages.current.set(page, []);
      engine.readRows(page * PAGE_ROWS + 1, PAGE_ROWS).then((cells) => {
        pages.current.set(page, cells);
        const [oldest] = pages.current.keys();
        if (pages.current.size > KEPT_PAGES && oldest !== undefined) pages.current.delete(oldest);
        setArrived((count) => count + 1);
      }, tellError);
    }
  }, [first, last]);
  return (index) => pages.current.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
}
