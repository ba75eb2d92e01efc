import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface KeyFilter {
  readonly id?: string;
  readonly account?: string;
  readonly surface?: string;
}

/** Newest first. The hash of the secret stays where it is. */
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
