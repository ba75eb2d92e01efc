import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { prepareItems } from '../pipeline/prepare-items.ts';
import { collections, getCollection } from './registry.ts';

test('[ING34] the registry: fifteen collections with unique paths, numbers and prefixes', () => {
  for (const member of ['path', 'no', 'prefix'] as const)
    expect(new Set(collections.map((definition) => definition[member])).size).toBe(15);
  expect(collections.map(({ no }) => no)).toEqual([...collections.map(({ no }) => no)].sort((a, b) => a - b));
});

/** The minimal item of each collection; partners rely on it. */
const minimal: Record<string, object> = {
  'master/uoms': { source_id: '1', name: 'x' },
  'master/skus': { source_id: '1', name: 'x', base_uom: 'u' },
  'master/boms': {
    source_id: '1',
    parent_sku_source_id: 's',
    components: [{ sku_source_id: 't', quantity: 1 }],
  },
  'master/locations': { source_id: '1', kind: 'BIN', name: 'x' },
  'master/addresses': { source_id: '1', name: 'x' },
  'master/lots': { source_id: '1', sku_source_id: 's' },
  'master/serials': { source_id: '1', sku_source_id: 's' },
  'documents/purchase-orders': { source_id: '1' },
  'documents/sales-orders': { source_id: '1' },
  'documents/receivers': { source_id: '1', po_source_id: 'p' },
  'documents/shippers': { source_id: '1' },
  'documents/work-orders': { source_id: '1' },
  'documents/transfer-orders': { source_id: '1' },
  'inventory/snapshot': { source_id: '1', sku_source_id: 's', location: 'l', quantity: 0 },
  'inventory/movements': {
    source_id: '1',
    sku_source_id: 's',
    from_location: 'a',
    to_location: 'b',
    quantity: 1,
  },
};

test.each(Object.entries(minimal))(
  '[ING16] %s: accepts its minimal item and rejects an unknown member',
  (path, item) => {
    const definition = getCollection(path);
    const read = [item, { ...item, source_version: 7, attributes: { a: 1 } }, { ...item, typo: 1 }];
    const { items, rejected } = prepareItems(
      definition,
      read.map((value) => ({ ok: true, value })),
      () => 'id',
    );
    expect(rejected).toEqual([{ ordinal: 2, sourceId: '1', reason: 'typo: unknown member' }]);
    expect(items.map(({ version }) => version)).toEqual([null, 7]);
    expect(JSON.parse(items[1]?.item ?? '')).toMatchObject({ ...item, attributes: { a: 1 } });
    expect(items[1]?.item).not.toContain('source_version');
  },
);

/** The JSON Schema of a named schema, which Zod puts into `$defs`. */
function definitionOf(schema: z.ZodType): { properties?: object; required?: string[] } {
  const { $defs = {} } = z.toJSONSchema(schema, { io: 'input' });
  return ($defs[String(z.globalRegistry.get(schema)?.id)] ?? {}) as ReturnType<typeof definitionOf>;
}

test('[ING16] the contract page: lists the members of every collection in order', () => {
  const contract = readFileSync(new URL('../../../docs/contract/ingest.md', import.meta.url), 'utf8');
  const listed = [...contract.matchAll(/^\| `(\w+\/[\w-]+)` \| (.*?) \|/gm)];
  const shared = new Set(['source_id', 'source_version', 'attributes']);
  const members = collections.map(({ path, schema }) => {
    const { properties = {}, required = [] } = definitionOf(schema);
    const own = Object.keys(properties).filter((name) => !shared.has(name));
    return [
      path,
      own.map((name) => (required.includes(name) ? `**\`${name}\`**` : `\`${name}\``)).join(', '),
    ];
  });
  expect(listed.map(([, path, names]) => [path, names])).toEqual(members);
});

test('[ING15] a collection with references: comes after the collections it refers to', () => {
  for (const definition of collections) {
    const { items } = prepareItems(definition, [{ ok: true, value: minimal[definition.path] }], () => 'id');
    for (const { collection } of items[0]?.references ?? [])
      expect(getCollection(collection).no).toBeLessThanOrEqual(definition.no);
  }
});
