import type { Db } from '#storage/database.ts';
import { type ItemFilter, selectItemPage } from '#storage/ingest/items.ts';
import { findPartner } from '#storage/ingest/partners.ts';
import { getCollection } from '../collections/registry.ts';
import { publicId } from '../public-id.ts';
import { stateOf } from './read-items.ts';

/** An item as a row of a job of another surface. */
export interface IngestRow {
  readonly source_id: string;
  readonly internal_id: string;
  readonly source_version: number | null;
  readonly state: 'ACTIVE' | 'INACTIVE';
  readonly item: Readonly<Record<string, unknown>>;
}

export interface RowsFrom {
  readonly accountId: string;
  readonly partnerId: string;
  /** E.g. `master/skus`. */
  readonly collection: string;
  /** Absent: all active items. */
  readonly filter?: Partial<ItemFilter>;
}

export type SelectRows = (from: RowsFrom) => AsyncIterable<IngestRow>;

const PAGE = 1000;

/**
 * Reads the items of a collection in key order, page by page, in bounded memory. An item that changes meanwhile is
 * returned in its old or new state, never twice.
 */
export function createSelectRows(db: Db): SelectRows {
  return async function* selectRows({ accountId, partnerId, collection, filter = {} }) {
    const { no, prefix } = getCollection(collection);
    const partnerNo = await findPartner(db, accountId, partnerId);
    if (partnerNo === undefined) return;
    const wanted = { state: 'ACTIVE' as const, ...filter };
    for (let after = ''; ; ) {
      const page = await selectItemPage(db, { partnerNo, collection: no }, wanted, after, PAGE);
      for (const row of page) {
        yield {
          source_id: row.source_id,
          internal_id: publicId(prefix, row.internal_id),
          source_version: row.source_version,
          state: stateOf(row.active),
          item: row.item as Record<string, unknown>,
        };
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.source_id;
    }
  };
}
