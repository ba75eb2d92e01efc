import { z } from 'zod';
import { listOf, pageOf } from '#console/contract/list.ts';

/** Each count stops at `COUNTED_ITEMS`; `active` counts among the counted items. */
export const collectionCount = z.strictObject({
  name: z.string(),
  items: z.number(),
  active: z.number(),
  quarantined: z.number(),
});
export type CollectionCount = z.infer<typeof collectionCount>;

export const partnerOverview = z.strictObject({
  account: z.string(),
  partner: z.string(),
  created_at: z.string(),
  collections: listOf(collectionCount),
});
export type PartnerOverview = z.infer<typeof partnerOverview>;

export const overview = z.strictObject({
  /** The names of all collections, including empty ones. */
  collections: listOf(z.string()),
  items: listOf(partnerOverview),
  next_cursor: z.null(),
});
export type Overview = z.infer<typeof overview>;

export const listedItem = z.strictObject({
  source_id: z.string(),
  source_version: z.number().nullable(),
  state: z.enum(['ACTIVE', 'INACTIVE']),
  /** How often the item has changed. */
  changes: z.number(),
  warehouse_id: z.string().nullable(),
  correlation_id: z.string(),
  updated_at: z.string(),
});
export type ListedItem = z.infer<typeof listedItem>;
export const listedItemPage = pageOf(listedItem);
