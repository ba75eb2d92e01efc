import type { z } from 'zod';

/**
 * A declarative description of a collection: the schema of an item, its references and its stored form. The pipeline
 * does the rest, so a new collection is a file here and a line in `registry.ts`.
 */
export interface CollectionDefinition<Schema extends ItemSchema = ItemSchema> {
  /** Two path segments, e.g. `master/skus`. */
  readonly path: string;
  /**
   * Identifies the collection in the database; never reused. Referenced collections have lower numbers than those that
   * refer to them. One transaction writes several collections in this order.
   */
  readonly no: number;
  /** Prefix of its internal ids, e.g. `sku`. */
  readonly prefix: string;
  /** Strict: an unknown member is a typo, and dropping it would lose data. */
  readonly schema: Schema;
  references(item: z.output<Schema>): readonly Reference[];
  /** The stored form: normalised, with defaults filled in. */
  canonical(item: z.output<Schema>): Readonly<Record<string, unknown>>;
  /** Items that contain one another: a new edge must not close a cycle. */
  graph?(item: z.output<Schema>): { readonly node: string; readonly edges: readonly string[] };
}

export type BaseItem = { source_id: string; source_version?: number | undefined };
export type ItemSchema = z.ZodType<BaseItem>;

export interface Reference {
  /** Path of the collection that must contain the item. */
  readonly collection: string;
  readonly sourceId: string;
  /** The member that contains the reference, for the reason. */
  readonly field: string;
  /** The `kind`s that the item may have; absent: any. */
  readonly kinds?: readonly string[];
}

export function defineCollection<Schema extends ItemSchema>(
  definition: CollectionDefinition<Schema>,
): CollectionDefinition {
  return definition as unknown as CollectionDefinition;
}

/** Stores the item as validated. The pipeline removes the version, which is stored separately. */
export function keepAsSent<Item extends BaseItem>(item: Item): Item {
  return item;
}
