import { useEffect, useRef, useState } from 'react';
import { engine } from '../engine/engine-client.ts';
import { tellError } from '../ui/messages.tsx';

/** Rows are fetched from the worker a page at a time, as the table scrolls to them; the newest pages are kept. */
const PAGE_ROWS = 100;
const KEPT_PAGES = 30;
type Cells = readonly string[];

/** Gives the cells of a row if they are here; `first`..`last` (from 0) are the rows that are seen. */
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
