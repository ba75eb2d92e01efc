import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { ApiKeys } from '../db-types.ts';
import { everyColumn, prepared } from '../prepared-statements.ts';

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
  /** CIDR ranges; null allows any address. */
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

export type KeyRecord = Selectable<ApiKeys> & {
  readonly account_name: string;
  readonly plan: string;
  readonly active: boolean;
};

const keyColumns = sql.raw(
  everyColumn<ApiKeys>({
    account_id: true,
    created_at: true,
    expires_at: true,
    id: true,
    ip_ranges: true,
    last_used_at: true,
    name: true,
    partner_id: true,
    replaced_by: true,
    revoked_at: true,
    scopes: true,
    secret_hash: true,
    surface: true,
    warehouses: true,
    warned_days: true,
  })('k'),
);

/** Finds a key, with the name, plan and state of its account. */
export async function findKey(db: Db, id: string, surface: string): Promise<KeyRecord | undefined> {
  const { rows } = await sql<KeyRecord>`${prepared}
    select ${keyColumns}, a.name as account_name, a.plan, a.active
    from api_keys k join accounts a on a.id = k.account_id
    where k.id = ${id} and k.surface = ${surface}`.execute(db);
  return rows[0];
}

export interface KeyFilter {
  readonly id?: string;
  readonly account?: string;
  readonly surface?: string;
}

/** Returns the newest first, without the secret hashes. */
export function listKeys(db: Db, { id, account, surface }: KeyFilter) {
  return db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.id', 'accounts.name as account_name', 'surface', 'api_keys.name', 'scopes'])
    .select(['partner_id', 'warehouses', 'api_keys.created_at', 'expires_at', 'revoked_at', 'last_used_at'])
    .select(['ip_ranges', 'replaced_by'])
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('api_key_refusals')
          .select(['address as refused_address', 'reason as refused_reason', 'last_at as refused_at'])
          .whereRef('key_id', '=', 'api_keys.id')
          .orderBy('last_at', 'desc')
          .limit(1)
          .as('refused'),
      (join) => join.onTrue(),
    )
    .select(['refused_at', 'refused_address', 'refused_reason'])
    .select((query) =>
      query
        .selectFrom('api_key_refusals')
        .select(sql<number>`coalesce(sum(count), 0)::float8`.as('count'))
        .whereRef('key_id', '=', 'api_keys.id')
        .as('refused_count'),
    )
    .$if(id !== undefined, (query) => query.where('api_keys.id', '=', id ?? ''))
    .$if(account !== undefined, (query) => query.where('accounts.name', '=', account ?? ''))
    .$if(surface !== undefined, (query) => query.where('surface', '=', surface ?? ''))
    .orderBy('api_keys.created_at', 'desc')
    .orderBy('api_keys.id')
    .execute();
}

export type ListedKey = Awaited<ReturnType<typeof listKeys>>[number];

/**
 * Counts the keys of one account and surface that are neither revoked nor expired. A replaced key does not count, but
 * its successor does. Lock the account first.
 */
export async function countLiveKeys(tx: Tx, accountId: string, surface: string, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('surface', '=', surface)
    .where('revoked_at', 'is', null)
    .where('replaced_by', 'is', null)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return count;
}

/** Records the last use of a key, unless another node has recorded one after `unlessSince`. */
export async function touchKey(db: Db, id: string, now: Date, unlessSince: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', unlessSince)]))
    .execute();
}

/** Reads a key and locks its row until the transaction ends, so that it is rotated only once. */
export function lockKey(tx: Tx, id: string) {
  return tx
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .selectAll('api_keys')
    .select('accounts.name as account_name')
    .where('api_keys.id', '=', id)
    .forUpdate('api_keys')
    .executeTakeFirst();
}

/** Finds the key that `id` replaced, if it still works. */
export function findLivePredecessor(tx: Tx, id: string, now: Date) {
  return tx
    .selectFrom('api_keys')
    .select(['id', 'expires_at'])
    .where('replaced_by', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Records the successor of a key and sets the end of the overlap. */
export async function replaceKey(tx: Tx, id: string, successorId: string, endsAt: Date): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ replaced_by: successorId, expires_at: endsAt })
    .where('id', '=', id)
    .execute();
}

/** Revokes a key. A second call keeps the first time. Returns undefined if the key does not exist. */
export async function revokeKey(
  db: Db,
  id: string,
  now: Date,
): Promise<{ revokedAt: Date; changed: boolean } | undefined> {
  const revoked = await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('revoked_at')
    .executeTakeFirst();
  if (revoked?.revoked_at) return { revokedAt: revoked.revoked_at, changed: true };
  const known = await db.selectFrom('api_keys').select('revoked_at').where('id', '=', id).executeTakeFirst();
  return known?.revoked_at ? { revokedAt: known.revoked_at, changed: false } : undefined;
}

export interface LinkIssuer {
  readonly accountId: string;
  /** The id of a key or `operator:<id>`; null in older links, for which only the account is checked. */
  readonly issuer: string | null;
  /** The roles that may do what the link does. */
  readonly roles: readonly string[];
}

/**
 * Reports whether a link that `issuer` created for an account still works: the account is active, and the key is
 * neither revoked nor expired, or the person has not been removed, has one of the roles and can see the account.
 */
export async function isIssuerLive(
  db: Db,
  { accountId, issuer, roles }: LinkIssuer,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ live: boolean }>`
    select exists (select from accounts where id = ${accountId} and active)
       and (${issuer}::text is null
         or exists (select from api_keys
                     where id = ${issuer} and account_id = ${accountId} and revoked_at is null
                       and (expires_at is null or expires_at > ${now}))
         or exists (select from operators
                     where 'operator:' || id = ${issuer} and removed_at is null and role = any(${roles}::text[])
                       and (account_id is null or account_id = ${accountId}))) as live`.execute(db);
  return rows[0]?.live === true;
}
