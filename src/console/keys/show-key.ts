import { keyState } from '#engine/keys/key-state.ts';
import type { ListedKey } from '#storage/keys/api-keys.ts';

/** A key as the operator API shows it, without its secret. */
export function showKey(key: ListedKey, now: Date) {
  return {
    id: key.id,
    account: key.account_name,
    surface: key.surface,
    name: key.name,
    state: keyState(key, now),
    scopes: key.scopes,
    partner: key.partner_id,
    warehouses: key.warehouses,
    ip_ranges: key.ip_ranges,
    replaced_by: key.replaced_by,
    created_at: key.created_at.toISOString(),
    expires_at: key.expires_at?.toISOString() ?? null,
    revoked_at: key.revoked_at?.toISOString() ?? null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    last_refused: lastRefused(key),
  };
}

/** The latest rejected use, and the number of rejections from all stored addresses. */
function lastRefused({ refused_at, refused_address, refused_reason, refused_count }: ListedKey) {
  if (refused_at === null || refused_address === null || refused_reason === null) return null;
  return {
    at: refused_at.toISOString(),
    address: refused_address,
    reason: refused_reason,
    count: refused_count ?? 0,
  };
}
