import { z } from 'zod';
import { defineCollection, keepAsSent, type Reference } from './definition.ts';
import { base, name, refer, sourceId } from './fields.ts';

/** Allowed parents: bins are in zones or directly in the warehouse, zones in zones or the warehouse. */
const parents = { ZONE: ['WAREHOUSE', 'ZONE'], BIN: ['ZONE', 'WAREHOUSE'] } as const;

export const locations = defineCollection({
  path: 'master/locations',
  no: 5,
  prefix: 'loc',
  schema: z
    .strictObject({
      ...base,
      kind: z.enum(['WAREHOUSE', 'ZONE', 'BIN']),
      name,
      parent_source_id: sourceId.optional(),
      temperature_class: z.string().min(1).max(50).optional(),
    })
    .refine((location) => location.parent_source_id !== location.source_id, {
      path: ['parent_source_id'],
      message: 'the location contains itself',
    })
    .refine((location) => location.kind !== 'WAREHOUSE' || location.parent_source_id === undefined, {
      path: ['parent_source_id'],
      message: 'a WAREHOUSE must not have a parent',
    })
    .meta({
      id: 'LocationItem',
      description: 'A warehouse, a zone or a bin',
      examples: [
        { source_id: 'A-01-02', kind: 'BIN', name: 'Aisle A, rack 1, level 2', parent_source_id: 'A' },
      ],
    }),
  references: (item): Reference[] =>
    item.parent_source_id === undefined || item.kind === 'WAREHOUSE'
      ? []
      : [refer('master/locations', item.parent_source_id, 'parent_source_id', parents[item.kind])],
  canonical: keepAsSent,
  graph: (item) => ({
    node: item.source_id,
    edges: item.parent_source_id === undefined ? [] : [item.parent_source_id],
  }),
});
