import type { Clock } from '#lib/clock.ts';
import type { Ids } from '#lib/ids.ts';
import { type AccountRecord, ensureAccount, lockAccount } from '#storage/accounts.ts';
import type { Db, Tx } from '#storage/database.ts';
import { countLiveKeys, insertKey, type NewKey } from '#storage/keys/api-keys.ts';
import type { DefaultDays, KeyKinds, Lifetime } from './key-kinds.ts';
import { hashSecret, makeKeyText, writeKey } from './key-text.ts';

export interface KeyOrder {
  readonly surface: string;
  /** Account name; an unknown account is created. */
  readonly account: string;
  readonly name?: string | undefined;
  readonly days?: Lifetime | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly partner?: string | undefined;
  readonly warehouses?: readonly string[] | undefined;
  /** Ranges returned by `parseIpRange`; undefined: the key works from any address. */
  readonly ipRanges?: readonly string[] | undefined;
}

export interface KeyParts {
  readonly db: Db;
  readonly kinds: KeyKinds;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The plan of accounts created here. */
  readonly plan: string;
  /** Default lifetimes; without it, those of the kinds. */
  readonly defaultDays?: DefaultDays;
}

export type CreatedKey =
  /** `key` contains the secret, which cannot be read again later. */
  | { readonly ok: true; readonly key: string; readonly record: Omit<NewKey, 'secretHash'> }
  | { readonly ok: false; readonly reason: 'too-many-keys'; readonly limit: number };

const DAY_MS = 86_400_000;

/** `alongside` commits with the key. */
export function createKey(
  parts: KeyParts,
  order: KeyOrder,
  alongside?: (tx: Tx, record: Omit<NewKey, 'secretHash'>) => Promise<void>,
): Promise<CreatedKey> {
  const now = parts.clock.now();
  const kind = parts.kinds.get(order.surface);
  return parts.db.transaction().execute(async (tx) => {
    const account = await ensureAccount(tx, {
      id: parts.ids.uuid(),
      name: order.account,
      plan: parts.plan,
      now,
    });
    if (kind.maxLive !== null && !(await hasRoom(tx, account, order.surface, kind.maxLive, now)))
      return { ok: false, reason: 'too-many-keys', limit: kind.maxLive };
    const text = makeKeyText();
    const days =
      order.days ??
      (parts.defaultDays === undefined ? kind.defaultDays : (parts.defaultDays[order.surface] ?? null));
    const record = {
      id: text.id,
      accountId: account.id,
      surface: order.surface,
      name: order.name ?? '',
      scopes: order.scopes ?? kind.scopes,
      partnerId: kind.partnered ? (order.partner ?? account.name) : null,
      warehouses: order.warehouses ?? null,
      ipRanges: order.ipRanges ?? null,
      createdAt: now,
      expiresAt: days === null ? null : new Date(now.getTime() + days * DAY_MS),
    };
    await insertKey(tx, { ...record, secretHash: hashSecret(text.secret) });
    await alongside?.(tx, record);
    return { ok: true, key: writeKey(kind, text), record };
  });
}

/** Checks the limit of live keys. The lock on the account serializes concurrent creates. */
async function hasRoom(
  tx: Tx,
  account: AccountRecord,
  surface: string,
  limit: number,
  now: Date,
): Promise<boolean> {
  await lockAccount(tx, account.id);
  return (await countLiveKeys(tx, account.id, surface, now)) < limit;
}
