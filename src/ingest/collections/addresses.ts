import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { base, name } from './fields.ts';

const text = z.string().min(1).max(500);

/** Parties of documents: suppliers, customers, carriers, sites. */
export const addresses = defineCollection({
  path: 'master/addresses',
  no: 2,
  prefix: 'adr',
  schema: z
    .strictObject({
      ...base,
      name,
      kind: z.enum(['SUPPLIER', 'CUSTOMER', 'CARRIER', 'SITE', 'OTHER']).optional(),
      lines: z.array(text).max(10).optional(),
      city: text.optional(),
      region: text.optional(),
      postal_code: z.string().min(1).max(40).optional(),
      country: z
        .string()
        .regex(/^[A-Za-z]{2}$/, 'is not an ISO 3166 two-letter code')
        .optional(),
      email: z.string().min(3).max(320).optional(),
      phone: z.string().min(1).max(50).optional(),
    })
    .meta({
      id: 'AddressItem',
      description: 'A party of documents: a supplier, customer, carrier or site',
      examples: [
        { source_id: 'SUP-1', name: 'Muster GmbH', kind: 'SUPPLIER', city: 'Hamburg', country: 'DE' },
      ],
    }),
  references: () => [],
  canonical: (item) => ({
    ...keepAsSent(item),
    ...(item.country !== undefined && { country: item.country.toUpperCase() }),
  }),
});
