import { z } from 'zod';
import type { RowSource } from '#surface.ts';
import { findCollection } from './collections/registry.ts';
import type { SelectRows } from './items/select-rows.ts';

/**
 * `ingest:PARTNER/COLLECTION`, e.g. `ingest:acme/master/skus`: `source_id`, `internal_id`, then the members of the collection in
 * the order of its schema. A value that is not text is written as JSON.
 */
export function ingestRowSource(selectRows: SelectRows): RowSource {
  return async (accountId, selection) => {
    const [, partnerId = '', collection = ''] = /^([^/]+)\/(.+)$/.exec(selection) ?? [];
    const columns = collectionColumns(collection);
    if (columns === undefined) return undefined;
    return itemCells(selectRows({ accountId, partnerId, collection }), columns);
  };
}

const OWN_MEMBERS = new Set(['source_id', 'source_version']);

function collectionColumns(path: string): readonly string[] | undefined {
  const schema = findCollection(path)?.schema;
  if (!(schema instanceof z.ZodObject)) return undefined;
  return Object.keys(schema.shape).filter((name) => !OWN_MEMBERS.has(name));
}

const BATCH = 500;

async function* itemCells(
  items: ReturnType<SelectRows>,
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
