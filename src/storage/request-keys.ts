import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from './database.ts';
import type { RequestKeys } from './db-types.ts';

/** A response as it went over the wire; replays send these very bytes. */
export interface StoredResponse {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

export async function storeResponse(
  db: Db,
  accountId: string,
  scope: string,
  key: string,
  response: StoredResponse,
): Promise<void> {
  const result = await db
    .updateTable('request_keys')
    .set({ response_status: response.status, response_type: response.type, response_body: response.body })
    .where('account_id', '=', accountId)
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('response_status', 'is', null)
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n)
    throw new Error('bug: a response was stored for a key that was not just claimed');
}

export interface RequestKeyClaim {
  readonly accountId: string;
  readonly scope: string;
  readonly key: string;
  readonly bodyDigest: Buffer | null;
  readonly bodyParts: Readonly<Record<string, string>> | null;
  readonly jobId: string | null;
  readonly now: Date;
  readonly expiresAt: Date;
  /** Known at once where the answer does not depend on the work. */
  readonly response?: StoredResponse;
}

/**
 * Takes the key, or says that somebody has it. One statement, so two callers at the same instant cannot both
 * win: the second waits for the first one's transaction and then finds the row. A row whose window has
 * passed is taken over in the same statement, with nothing left of the earlier request. That it looks before it
 * inserts decides nothing; but a conflict locks the row until the transaction ends, and replays of one key would queue up.
 */
export async function claimRequestKey(db: Db, claim: RequestKeyClaim): Promise<boolean> {
  const { rows } = await claimStatement(claim).execute(db);
  return rows.length === 1;
}

/** The same as part of a larger statement: one row when the key was taken, none otherwise. */
export function claimStatement(claim: RequestKeyClaim): RawBuilder<unknown> {
  const { bodyParts, response } = claim;
  return sql`
    insert into request_keys (account_id, scope, key, body_digest, body_parts, job_id,
                              response_status, response_type, response_body, claimed_at, expires_at)
    select ${claim.accountId}::uuid, ${claim.scope}::text, ${claim.key}::text, ${claim.bodyDigest}::bytea,
           ${bodyParts === null ? null : JSON.stringify(bodyParts)}::jsonb, ${claim.jobId}::uuid,
           ${response?.status ?? null}::int, ${response?.type ?? null}::text, ${response?.body ?? null}::bytea,
           ${claim.now}::timestamptz, ${claim.expiresAt}::timestamptz
    where not exists (
      select from request_keys
      where account_id = ${claim.accountId}::uuid and scope = ${claim.scope}::text and key = ${claim.key}::text
        and expires_at > ${claim.now}::timestamptz)
    on conflict (account_id, scope, key) do update set
      body_digest = excluded.body_digest, body_parts = excluded.body_parts, job_id = excluded.job_id,
      response_status = excluded.response_status, response_type = excluded.response_type,
      response_body = excluded.response_body, claimed_at = excluded.claimed_at, expires_at = excluded.expires_at
    where request_keys.expires_at <= ${claim.now}::timestamptz
    returning 1`;
}

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
