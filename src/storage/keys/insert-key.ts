import type { Tx } from '../database.ts';

export interface NewKey {
  readonly id: string;
  readonly accountId: string;
  readonly surface: string;
  readonly secretHash: Buffer;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly partnerId: string | null;
  readonly warehouses: readonly string[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** CIDR ranges; null: from anywhere. */
  readonly ipRanges: readonly string[] | null;
}

export async function insertKey(tx: Tx, key: NewKey): Promise<void> {
  await tx
    .insertInto('api_keys')
    .values({
      id: key.id,
      account_id: key.accountId,
      surface: key.surface,
      secret_hash: key.secretHash,
      name: key.name,
      scopes: [...key.scopes],
      partner_id: key.partnerId,
      warehouses: key.warehouses === null ? null : [...key.warehouses],
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      ip_ranges: key.ipRanges === null ? null : [...key.ipRanges],
    })
    .execute();
}
