import { sql } from 'kysely';
import type { Db } from '../database.ts';

/**
 * Whether a link that `issuer` made for an account still works: the account is active, and the key is neither revoked
 * nor expired, or the operator (`operator:<id>`) is still one. Null, the issuer of older links, means the account alone.
 */
export async function isIssuerLive(
  db: Db,
  accountId: string,
  issuer: string | null,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ live: boolean }>`
    select exists (select from accounts where id = ${accountId} and active)
       and (${issuer}::text is null
         or exists (select from api_keys
                     where id = ${issuer} and account_id = ${accountId} and revoked_at is null
                       and (expires_at is null or expires_at > ${now}))
         or exists (select from operators where 'operator:' || id = ${issuer} and removed_at is null)) as live`.execute(
    db,
  );
  return rows[0]?.live === true;
}
