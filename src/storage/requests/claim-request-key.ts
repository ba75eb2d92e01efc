import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface RequestKeyClaim {
  readonly accountId: string;
  readonly scope: string;
  readonly key: string;
  readonly bodyDigest: Buffer | null;
  readonly bodyParts: Readonly<Record<string, string>> | null;
  readonly jobId: string | null;
  readonly now: Date;
  readonly expiresAt: Date;
}

/**
 * Takes the key, or says that somebody has it. One statement, so two callers at the same instant cannot both
 * win: the second waits for the first one's transaction and then finds the row. A row whose window has
 * passed is taken over in the same statement, with nothing left of the earlier request.
 */
export async function claimRequestKey(db: Db, claim: RequestKeyClaim): Promise<boolean> {
  const { rows } = await sql`
    insert into request_keys (account_id, scope, key, body_digest, body_parts, job_id, claimed_at, expires_at)
    values (${claim.accountId}, ${claim.scope}, ${claim.key}, ${claim.bodyDigest},
            ${claim.bodyParts === null ? null : JSON.stringify(claim.bodyParts)}::jsonb, ${claim.jobId}, ${claim.now}, ${claim.expiresAt})
    on conflict (account_id, scope, key) do update set
      body_digest = excluded.body_digest, body_parts = excluded.body_parts, job_id = excluded.job_id,
      response_status = null, response_type = null, response_body = null,
      claimed_at = excluded.claimed_at, expires_at = excluded.expires_at
    where request_keys.expires_at <= ${claim.now}
    returning 1`.execute(db);
  return rows.length === 1;
}
