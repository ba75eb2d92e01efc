import { z } from 'zod';
import { RowSources, type SelectedRows } from '#bulkfill/create/row-sources.ts';
import { findCollection } from '#ingest/collections/registry.ts';
import type { SelectRows as SelectItems } from '#ingest/items/select-rows.ts';
import { STATUSES } from '#subscribers/people/status.ts';
import type { SelectRows as SelectPeople } from '#subscribers/rows/select-rows.ts';

/**
 * What `rows_from` of a Bulk Fill job may name; here, because this is the only place that knows all surfaces.
 *
 * - `subscribers:` and a query like `status=Active&query=ada&cold_only=true`: columns in the order of an export.
 * - `ingest:PARTNER/COLLECTION`, e.g. `ingest:acme/master/skus`: `source_id`, `internal_id`, then the members of the
 *   collection in the order of its schema. What is not text stands as JSON.
 */
export function createRowSources(selectPeople: SelectPeople, selectItems: SelectItems): RowSources {
  return new RowSources({
    subscribers: async (accountId, selection) => {
      const query = peopleQuery.safeParse(Object.fromEntries(new URLSearchParams(selection)));
      if (!query.success) return undefined;
      const { status, query: text, cold_only: cold } = query.data;
      const { rows } = await selectPeople(accountId, {
        ...(text !== undefined && { query: text }),
        ...(status !== undefined && { status }),
        ...(cold === 'true' && { coldOnly: true }),
      });
      return positional(rows);
    },
    ingest: async (accountId, selection) => {
      const [, partnerId = '', collection = ''] = /^([^/]+)\/(.+)$/.exec(selection) ?? [];
      const columns = collectionColumns(collection);
      if (columns === undefined) return undefined;
      return positional(itemCells(selectItems({ accountId, partnerId, collection }), columns));
    },
  });
}

const peopleQuery = z.strictObject({
  query: z.string().optional(),
  status: z.enum(STATUSES).optional(),
  cold_only: z.enum(['true', 'false']).optional(),
});

const OWN_MEMBERS = new Set(['source_id', 'source_version']);

function collectionColumns(path: string): readonly string[] | undefined {
  const schema = findCollection(path)?.schema;
  if (!(schema instanceof z.ZodObject)) return undefined;
  return Object.keys(schema.shape).filter((name) => !OWN_MEMBERS.has(name));
}

const BATCH = 500;

async function* itemCells(
  items: ReturnType<SelectItems>,
  columns: readonly string[],
): AsyncGenerator<string[][]> {
  let batch: string[][] = [];
  for await (const { source_id, internal_id, item } of items) {
    batch.push([source_id, internal_id, ...columns.map((name) => cellText(item[name]))]);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function* positional(batches: AsyncIterable<readonly (readonly string[])[]>): SelectedRows {
  for await (const batch of batches)
    yield batch.map((cells) => Object.fromEntries(cells.map((cell, i) => [`column_${i}`, cell])));
}
