import type { ProjectView } from '#bulkfill/operator-contract.ts';

/** The orders of the library. */
export const ORDERS = { saved: 'Last saved', created: 'Newest', name: 'Name' } as const;
export type Order = keyof typeof ORDERS;

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
const folded = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Projects whose name or columns contain every word of the search, in the chosen order. */
export function orderProjects(
  projects: readonly ProjectView[],
  search: string,
  order: Order,
): readonly ProjectView[] {
  const words = folded(search).split(/\s+/).filter(Boolean);
  const matches = ({ name, columns }: ProjectView) => {
    const text = folded([name, ...columns.map(({ label }) => label)].join('\n'));
    return words.every((word) => text.includes(word));
  };
  return projects.filter(matches).sort((a, b) => compare(a, b, order) || names.compare(a.name, b.name));
}

function compare(a: ProjectView, b: ProjectView, order: Order): number {
  switch (order) {
    case 'saved':
      return b.updated_at.localeCompare(a.updated_at);
    case 'created':
      return b.created_at.localeCompare(a.created_at);
    case 'name':
      return 0;
  }
}
