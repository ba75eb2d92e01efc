import type { Overlay } from '#fill/package/layout-schema.ts';

/**
 * Sorts line by line from the top, then from the left: the tab order of a page. A field that overlaps a line's first field
 * by half its height belongs to that line.
 */
export function readingOrder(overlays: readonly Overlay[]): Overlay[] {
  const rest = overlays.toSorted((a, b) => a.y - b.y || a.x - b.x);
  const ordered: Overlay[] = [];
  let line: Overlay[] = [];
  const endLine = () => {
    ordered.push(...line.sort((a, b) => a.x - b.x || a.y - b.y));
    line = [];
  };
  for (const overlay of rest) {
    const [first] = line;
    if (first !== undefined && overlay.y > first.y + first.height / 2) endLine();
    line.push(overlay);
  }
  endLine();
  return ordered;
}
