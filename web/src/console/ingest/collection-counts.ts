import type { CollectionCount } from '#ingest/operator-contract.ts';
import { COUNTED_ITEMS } from '#lib/counted-items.ts';
import { formatCount } from '../parts/format.ts';

/** A count that may have stopped at its limit: "10,000+". */
export const formatCounted = (count: number): string =>
  count < COUNTED_ITEMS ? formatCount(count) : `${formatCount(COUNTED_ITEMS)}+`;

/** Active items, which are counted among the counted items only. */
export const formatActive = ({ items, active }: Pick<CollectionCount, 'items' | 'active'>): string =>
  items < COUNTED_ITEMS || active === items
    ? formatCounted(active)
    : `${formatCount(active)} of the first ${formatCount(COUNTED_ITEMS)}`;
