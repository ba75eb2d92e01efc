import type { Clock } from '#lib/clock.ts';
import type { Db } from '#storage/database.ts';
import { findKey, type KeyRecord, touchKey } from '#storage/keys/api-keys.ts';
import { IpRanges } from './ip-ranges.ts';
import type { KeyKinds } from './key-kinds.ts';
import type { Refusal, RefusalReason } from './key-refusals.ts';
import { type KeyText, readKey, secretMatches } from './key-text.ts';

/** The authenticated caller, as described by its key. */
export interface KeyHolder {
  readonly keyId: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly plan: string;
  readonly scopes: readonly string[];
  readonly partnerId: string | null;
  /** Null: all warehouses. */
  readonly warehouses: readonly string[] | null;
}

export type KeyVerdict =
  | { readonly ok: true; readonly principal: KeyHolder }
  | {
      readonly ok: false;
      readonly refusal: 'keyInvalid' | 'keyRevoked' | 'keyExpired' | 'accountInactive';
    };

export interface KeyRingParts {
  readonly kinds: KeyKinds;
  readonly db: Db;
  readonly clock: Clock;
  /** Called if recording the last use failed; the request must not fail. */
  readonly onTouchError: (error: Error) => void;
  /** Called for every rejected key. */
  readonly onRefused?: (refusal: Refusal) => void;
  /** A monotonic clock for the age of cached records; tests move it. */
  readonly monotonicMs?: () => number;
}

/** With 3 s, a revoked key or an inactive account stops working on every node within the promised 5 s. */
const MAX_AGE_MS = 3_000;
const MAX_ENTRIES = 10_000;
const TOUCH_EVERY_MS = 60_000;

/** A cached record. Its ranges are parsed once per read, not per request. */
type CachedKey = KeyRecord & { readonly ranges: IpRanges | null };

interface Entry {
  readonly readAt: number;
  readonly record: Promise<CachedKey | undefined>;
}

/**
 * Authenticates keys. Records are cached for three seconds, so that a client in a loop costs one query per three
 * seconds and concurrent requests share one. Unknown ids are not cached: a new key works at once, and guessing uses no
 * memory.
 */
export class KeyRing {
  readonly #parts: KeyRingParts;
  readonly #monotonicMs: () => number;
  readonly #entries = new Map<string, Entry>();
  /** When this process last recorded the use of a key. */
  readonly #touchedAt = new Map<string, number>();

  constructor(parts: KeyRingParts) {
    this.#parts = parts;
    this.#monotonicMs = parts.monotonicMs ?? (() => performance.now());
  }

  /**
   * `token` is the text after `Bearer `, `address` the source of the request. A key used from outside its ranges gets
   * the response of an invalid key, so that a thief does not learn that it is valid. An arrow function, so that it can
   * be passed as a callback.
   */
  authenticate = async (token: string, surface: string, address?: string): Promise<KeyVerdict> => {
    const text = readKey(this.#parts.kinds.get(surface), token);
    const record = text && (await this.#read(text.id, surface));
    const now = this.#parts.clock.now();
    const reason = findFault(text, record, address, now);
    if (reason === undefined && record !== undefined) {
      this.#touch(record, now);
      return { ok: true, principal: toHolder(record) };
    }
    const fault = reason ?? 'unknown';
    this.#parts.onRefused?.({ surface, reason: fault, address, ...(record && { keyId: record.id }) });
    return { ok: false, refusal: refusals[fault] };
  };

  /** Drops a key from the cache, so that a revocation in this process takes effect at once. */
  forget(id: string): void {
    for (const key of this.#entries.keys()) if (key.endsWith(`:${id}`)) this.#entries.delete(key);
  }

  async #read(id: string, surface: string): Promise<CachedKey | undefined> {
    const key = `${surface}:${id}`;
    const now = this.#monotonicMs();
    const known = this.#entries.get(key);
    if (known !== undefined && now - known.readAt < MAX_AGE_MS) return known.record;
    // The age counts from before the query, because its result may be as old as its start.
    const entry = { readAt: now, record: findKey(this.#parts.db, id, surface).then(toCached) };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#dropOldest();
    try {
      const record = await entry.record;
      if (record === undefined) this.#drop(key, entry);
      return record;
    } catch (error) {
      this.#drop(key, entry);
      throw error;
    }
  }

  #drop(key: string, entry: Entry): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }

  #dropOldest(): void {
    for (const map of [this.#entries, this.#touchedAt]) {
      const [oldest] = map.keys();
      if (map.size > MAX_ENTRIES && oldest !== undefined) map.delete(oldest);
    }
  }

  /** Records the last use, at most once a minute per key, without waiting for the write. */
  #touch(record: KeyRecord, now: Date): void {
    const last = Math.max(record.last_used_at?.getTime() ?? 0, this.#touchedAt.get(record.id) ?? 0);
    if (now.getTime() - last < TOUCH_EVERY_MS) return;
    this.#touchedAt.delete(record.id);
    this.#touchedAt.set(record.id, now.getTime());
    const unlessSince = new Date(now.getTime() - TOUCH_EVERY_MS);
    touchKey(this.#parts.db, record.id, now, unlessSince).catch(this.#parts.onTouchError);
  }
}

/** The response to the client: a wrong secret or address looks like an unknown key. */
const refusals = {
  unknown: 'keyInvalid',
  secret: 'keyInvalid',
  address: 'keyInvalid',
  revoked: 'keyRevoked',
  expired: 'keyExpired',
  inactive: 'accountInactive',
} as const satisfies Record<RefusalReason, string>;

function findFault(
  text: KeyText | undefined,
  record: CachedKey | undefined,
  address: string | undefined,
  now: Date,
): RefusalReason | undefined {
  if (text === undefined) return 'unknown';
  const matches = secretMatches(text.secret, record?.secret_hash);
  if (record === undefined) return 'unknown';
  if (!matches) return 'secret';
  if (record.ranges?.has(address) === false) return 'address';
  if (record.revoked_at !== null) return 'revoked';
  if (record.expires_at !== null && record.expires_at <= now) return 'expired';
  return record.active ? undefined : 'inactive';
}

function toCached(record: KeyRecord | undefined): CachedKey | undefined {
  return record && { ...record, ranges: record.ip_ranges && new IpRanges(record.ip_ranges) };
}

function toHolder(record: KeyRecord): KeyHolder {
  return {
    keyId: record.id,
    accountId: record.account_id,
    accountName: record.account_name,
    plan: record.plan,
    scopes: record.scopes,
    partnerId: record.partner_id,
    warehouses: record.warehouses,
  };
}
