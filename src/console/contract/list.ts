import { z } from 'zod';

/** An array that neither side changes. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();

/** One page of a list. `next_cursor` is null on the last page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: listOf(item), next_cursor: z.string().nullable() });
