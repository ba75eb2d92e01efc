import type { Selectable } from 'kysely';
import type { Db } from '../database.ts';
import type { RequestKeys } from '../db-types.ts';

export type RequestKeyRecord = Selectable<RequestKeys>;

/** The request a key stands for now; undefined when there is none or its window has passed. */
export function findRequestKey(
  db: Db,
  accountId: string,
  scope: string,
  key: string,
  now: Date,
): Promise<RequestKeyRecord | undefined> {
  return db
    .selectFrom('request_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}
