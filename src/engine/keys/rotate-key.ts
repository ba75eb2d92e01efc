import type { Clock } from '#lib/clock.ts';
import type { Db, Tx } from '#storage/database.ts';
import { findLivePredecessor, insertKey, lockKey, type NewKey, replaceKey } from '#storage/keys/api-keys.ts';
import type { KeyKinds } from './key-kinds.ts';
import { hashSecret, makeKeyText, writeKey } from './key-text.ts';

export const DEFAULT_OVERLAP_HOURS = 24;
export const MAX_OVERLAP_HOURS = 720;

const HOUR_MS = 3_600_000;

export type RotatedKey =
  | {
      readonly ok: true;
      /** Contains the successor's secret, which cannot be read again later. */
      readonly key: string;
      readonly record: Omit<NewKey, 'secretHash'>;
      readonly account: string;
      readonly replaced: { readonly id: string; readonly expiresAt: Date };
    }
  | { readonly ok: false; readonly reason: 'unknown' | 'revoked' | 'expired' }
  /** `other` is the successor of this key, or the predecessor that still works. */
  | { readonly ok: false; readonly reason: 'in-rotation'; readonly other: string };

/**
 * Creates the successor of a key, with the same rights, limits and lifetime. The old key works until the overlap ends.
 * A key takes part in one rotation at a time, because repeated rotations would bypass the cap on live keys. `alongside` commits with
 * it.
 */
export function rotateKey(
  { db, clock, kinds }: { readonly db: Db; readonly clock: Clock; readonly kinds: KeyKinds },
  id: string,
  overlapHours: number,
  alongside?: (tx: Tx, successor: string, expiresAt: Date) => Promise<void>,
): Promise<RotatedKey> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const old = await lockKey(tx, id);
    if (old === undefined) return { ok: false, reason: 'unknown' };
    if (old.revoked_at !== null) return { ok: false, reason: 'revoked' };
    if (old.expires_at !== null && old.expires_at <= now) return { ok: false, reason: 'expired' };
    const other = old.replaced_by ?? (await findLivePredecessor(tx, id, now))?.id;
    if (other !== undefined) return { ok: false, reason: 'in-rotation', other };
    const text = makeKeyText();
    const lifeMs = old.expires_at === null ? null : old.expires_at.getTime() - old.created_at.getTime();
    const record = {
      id: text.id,
      accountId: old.account_id,
      surface: old.surface,
      name: old.name,
      scopes: old.scopes,
      partnerId: old.partner_id,
      warehouses: old.warehouses,
      ipRanges: old.ip_ranges,
      createdAt: now,
      expiresAt: lifeMs === null ? null : new Date(now.getTime() + lifeMs),
    };
    await insertKey(tx, { ...record, secretHash: hashSecret(text.secret) });
    const overlapEnd = new Date(now.getTime() + overlapHours * HOUR_MS);
    const expiresAt = old.expires_at !== null && old.expires_at < overlapEnd ? old.expires_at : overlapEnd;
    await replaceKey(tx, id, text.id, expiresAt);
    await alongside?.(tx, text.id, expiresAt);
    const key = writeKey(kinds.get(old.surface), text);
    return { ok: true, key, record, account: old.account_name, replaced: { id, expiresAt } };
  });
}
