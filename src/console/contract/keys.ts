import { z } from 'zod';
import { listOf, pageOf } from './list.ts';

/** An API key without its secret. */
export const apiKey = z.strictObject({
  id: z.string(),
  account: z.string(),
  surface: z.string(),
  name: z.string(),
  state: z.enum(['live', 'expired', 'revoked']),
  scopes: listOf(z.string()),
  partner: z.string().nullable(),
  /** Null: all warehouses. */
  warehouses: listOf(z.string()).nullable(),
  /** Null: any address. */
  ip_ranges: listOf(z.string()).nullable(),
  /** The successor, once the key was rotated. */
  replaced_by: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  /** The latest refused use, and the number of refused uses on record. */
  last_refused: z
    .strictObject({
      at: z.string(),
      address: z.string(),
      reason: z.string(),
      count: z.number(),
    })
    .nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;
export const apiKeyPage = pageOf(apiKey);

/** The response to a create: the only one that holds the key itself. */
export const createdKey = z.strictObject({ ...apiKey.shape, key: z.string() });
export type CreatedKey = z.infer<typeof createdKey>;

/** The response to a rotation: the new key, and when the old one expires. */
export const rotatedKey = z.strictObject({
  ...createdKey.shape,
  replaces: z.strictObject({ id: z.string(), expires_at: z.string() }),
});
export type RotatedKey = z.infer<typeof rotatedKey>;

export const keyOptions = z.strictObject({
  surfaces: listOf(
    z.strictObject({
      name: z.string(),
      scopes: listOf(z.string()),
      /** Scopes that a key has only if the request names them. */
      optional_scopes: listOf(z.string()),
      default_days: z.number().nullable(),
      max_live_keys: z.number().nullable(),
      partnered: z.boolean(),
    }),
  ),
  lifetimes: listOf(z.number()),
});
export type KeyOptions = z.infer<typeof keyOptions>;

export const expiringKey = z.strictObject({
  id: z.string(),
  name: z.string(),
  account: z.string(),
  surface: z.string(),
  expires_at: z.string(),
});
export type ExpiringKey = z.infer<typeof expiringKey>;
export const expiringKeys = z.strictObject({ within_days: z.number(), items: listOf(expiringKey) });
export type ExpiringKeys = z.infer<typeof expiringKeys>;
