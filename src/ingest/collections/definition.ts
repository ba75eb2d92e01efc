import type { z } from 'zod';

/**
 * A collection is described, not programmed: what an item looks like, what it refers to, what is kept of it.
 * The pipeline does the rest, so adding a collection is adding a file here and a line in `registry.ts`.
 */
export interface CollectionDefinition<Schema extends ItemSchema = ItemSchema> {
  /** Two path segments, e.g. `master/skus`. */
  readonly path: string;
  /**
   * Stands for the collection in the database; never reused. Referenced collections have lower numbers than
   * those that refer to them, which is the order in which one transaction may write several.
   */
  readonly no: number;
  /** First part of its internal ids, e.g. `sku`. */
  readonly prefix: string;
  /** Closed: a member that is not known is a typo, and dropping it would lose data. */
  readonly schema: Schema;
  references(item: z.output<Schema>): readonly Reference[];
  /** What is kept: normal form, defaults filled in. */
  canonical(item: z.output<Schema>): Readonly<Record<string, unknown>>;
  /** Items that contain one another: a new edge must not close a circle. */
  graph?(item: z.output<Schema>): { readonly node: string; readonly edges: readonly string[] };
}

export type BaseItem = { source_id: string; source_version?: number | undefined };
export type ItemSchema = z.ZodType<BaseItem>;

export interface Reference {
  /** Path of the collection that must hold the item. */
  readonly collection: string;
  readonly sourceId: string;
  /** The member that refers, for the reason. */
  readonly field: string;
  /** The `kind`s the item may have; absent: any. */
  readonly kinds?: readonly string[];
}

export function defineCollection<Schema extends ItemSchema>(
  definition: CollectionDefinition<Schema>,
): CollectionDefinition {
  return definition as unknown as CollectionDefinition;
}

/** Keeps the item as validated. (The pipeline takes the version off: it has a place of its own.) */
export function keepAsSent<Item extends BaseItem>(item: Item): Item {
  return item;
}
