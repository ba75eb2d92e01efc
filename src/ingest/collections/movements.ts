import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { base, instant, optionalReference, quantity, refer, sourceId } from './fields.ts';

export const movements = defineCollection({
  path: 'inventory/movements',
  no: 15,
  prefix: 'mov',
  schema: z
    .strictObject({
      ...base,
      sku_source_id: sourceId,
      from_location: sourceId,
      to_location: sourceId,
      quantity,
      uom: sourceId.optional(),
      /** The lot's source_id; `lot` is an alias. */
      lot_source_id: sourceId.optional(),
      lot: sourceId.optional(),
      serial_source_id: sourceId.optional(),
      moved_at: instant.optional(),
    })
    .meta({
      id: 'MovementItem',
      description: 'A movement of stock between locations',
      examples: [
        {
          source_id: 'MOV-1',
          sku_source_id: 'SKU-4711',
          from_location: 'A-01-02',
          to_location: 'B-02-01',
          quantity: 10,
        },
      ],
    }),
  references: (item) => [
    refer('master/skus', item.sku_source_id, 'sku_source_id'),
    refer('master/locations', item.from_location, 'from_location'),
    refer('master/locations', item.to_location, 'to_location'),
    ...optionalReference('master/uoms', item.uom, 'uom'),
    ...optionalReference('master/lots', item.lot_source_id ?? item.lot, 'lot_source_id'),
    ...optionalReference('master/serials', item.serial_source_id, 'serial_source_id'),
  ],
  canonical: ({ lot, ...item }) => ({
    ...keepAsSent(item),
    ...(lot !== undefined && { lot_source_id: item.lot_source_id ?? lot }),
  }),
});
