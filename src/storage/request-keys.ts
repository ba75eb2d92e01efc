import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from './database.ts';
import type { RequestKeys } from './db-types.ts';
import { everyColumn, prepared } from './prepared-statements.ts';

/** A response as it was sent. Replays send the same bytes. */
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
    throw new Error('bug: a response is stored for a key that this transaction has not claimed');
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
  /** Set if the response does not depend on the work. */
  readonly response?: StoredResponse;
}

/**
 * Claims a request key. Returns false if another request holds it. One statement, so two concurrent callers cannot both
 * win: the second waits for the first transaction and then finds the row. An expired row is taken over in the same
 * statement and keeps nothing of the earlier request. The `not exists` check is only for speed: a conflict locks the
 * row until the transaction ends, and replays of one key would queue behind it.
 */
export async function claimRequestKey(db: Db, claim: RequestKeyClaim): Promise<boolean> {
  const { rows } = await claimStatement(claim).execute(db);
  return rows.length === 1;
}

/** The claim as part of a larger statement: returns one row if the key was claimed, none otherwise. */
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

const columns = sql.raw(
  everyColumn<RequestKeys>({
    account_id: true,
    body_digest: true,
    body_parts: true,
    claimed_at: true,
    expires_at: true,
    job_id: true,
    key: true,
    response_body: true,
    response_status: true,
    response_type: true,
    scope: true,
  })(),
);

/** Finds the request that holds a key. Returns undefined if there is none or it has expired. */
export async function findRequestKey(
  db: Db,
  accountId: string,
  scope: string,
  key: string,
  now: Date,
): Promise<RequestKeyRecord | undefined> {
  const { rows } = await sql<RequestKeyRecord>`${prepared}
    select ${columns} from request_keys
    where account_id = ${accountId}::uuid and scope = ${scope}::text and key = ${key}::text
      and expires_at > ${now}::timestamptz`.execute(db);
  return rows[0];
}
