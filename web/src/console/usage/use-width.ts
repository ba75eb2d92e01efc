import { type RefObject, useEffect, useRef, useState } from 'react';

/** The width of an element as it is now, so that a drawing can have letters of the size they should have. */
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
