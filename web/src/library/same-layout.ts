import type { Layout } from '#fill/package/layout-schema.ts';

/** Whether two layouts draw the same. The server adds the name and the facts of the PDF to the layout that it seals. */
export function sameLayout(a: Layout, b: Layout): boolean {
  return bare(a) === bare(b);
}

/** Members in the order of their names, because a sealed layout has another order than one that is being edited. */
const bare = ({ name: _, source: __, ...rest }: Layout) =>
  JSON.stringify(rest, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)))
      : value,
  );
