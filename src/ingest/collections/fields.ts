import { z } from 'zod';
import type { Reference } from './definition.ts';

/** Members that several collections share. */

const MAX_ATTRIBUTE_DEPTH = 16;

export const sourceId = z.string().min(1).max(200);

export const name = z.string().min(1).max(500);

const attributes = z
  .record(z.string().max(200), z.unknown())
  .refine((value) => !isDeeperThan(value, MAX_ATTRIBUTE_DEPTH), {
    message: `is nested more than ${MAX_ATTRIBUTE_DEPTH} levels deep`,
    abort: true,
  })
  .refine((value) => !holdsInexact(value), {
    message: 'contains a number that cannot be stored exactly; send it as a string',
  })
  .meta({
    id: 'ItemAttributes',
    description: 'Data that the partner stores and this service does not interpret',
  });

/** Detects numbers that the reader could not represent and that JSON cannot write. Called only for small depths. */
function holdsInexact(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsInexact);
}

/** Stops at its own limit, so that no depth of input can exhaust the stack. */
function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}

export const base = {
  source_id: sourceId,
  source_version: z
    .int()
    .min(0)
    .optional()
    .describe('Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1.'),
  attributes: attributes.optional(),
};

export const quantity = z.number().positive().max(1e15);
export const quantityOrNone = z.number().nonnegative().max(1e15);

export const instant = z.iso
  .datetime({ offset: true, local: true })
  .or(z.iso.date())
  .meta({ id: 'Instant', description: 'ISO 8601: a date, or a date and time with or without an offset' });

const line = z
  .strictObject({
    line_no: z.int().min(1).optional(),
    sku_source_id: sourceId,
    quantity: quantityOrNone,
    uom: sourceId.optional(),
    lot_source_id: sourceId.optional(),
    attributes: attributes.optional(),
  })
  .meta({ id: 'DocumentLine', description: 'A line of a document' });

const party = z
  .strictObject({
    role: z.string().min(1).max(50),
    address_source_id: sourceId,
  })
  .meta({ id: 'DocumentParty', description: 'A party of a document' });

/** Members of every document. */
export const document = {
  ...base,
  status: z.string().min(1).max(50).optional(),
  parties: z.array(party).max(50).optional(),
  lines: z.array(line).max(10_000).optional(),
  ordered_at: instant.optional(),
  due_at: instant.optional(),
};

interface DocumentReferences {
  readonly parties?: readonly z.output<typeof party>[] | undefined;
  readonly lines?: readonly z.output<typeof line>[] | undefined;
}

export function documentReferences({ parties = [], lines = [] }: DocumentReferences): Reference[] {
  return [
    ...parties.map((p, i) =>
      refer('master/addresses', p.address_source_id, `parties.${i}.address_source_id`),
    ),
    ...lines.flatMap((l, i) => [
      refer('master/skus', l.sku_source_id, `lines.${i}.sku_source_id`),
      ...optionalReference('master/uoms', l.uom, `lines.${i}.uom`),
      ...optionalReference('master/lots', l.lot_source_id, `lines.${i}.lot_source_id`),
    ]),
  ];
}

export function refer(collection: string, id: string, field: string, kinds?: readonly string[]): Reference {
  return { collection, sourceId: id, field, ...(kinds && { kinds }) };
}

export function optionalReference(collection: string, id: string | undefined, field: string): Reference[] {
  return id === undefined ? [] : [refer(collection, id, field)];
}
