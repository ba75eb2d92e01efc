import { type RefObject, useEffect, useRef, useState } from 'react';

/** Returns the current width of an element, so that a chart can keep its font size. */
export function useWidth<Box extends HTMLElement>(first: number): [RefObject<Box | null>, number] {
  const box = useRef<Box>(null);
  const [width, setWidth] = useState(first);
  useEffect(() => {
    if (box.current === null) return;
    const watch = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(240, Math.round(entry.contentRect.width)));
    });
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return [box, width];
}
