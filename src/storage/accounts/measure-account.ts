import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface StoredByAccount {
  readonly plan: string;
  readonly bytes: number;
}

/** The bytes an account has stored: inputs and outputs of its jobs, and uploads that wait for their import. */
export async function measureAccount(db: Db, accountId: string): Promise<StoredByAccount | undefined> {
  const { rows } = await sql<{ plan: string; bytes: string }>`
    select plan, (
      select coalesce(sum(size_bytes), 0) from blobs where digest in (
        select digest from blob_refs join jobs on jobs.id = blob_refs.job_id where jobs.account_id = accounts.id
        union
        select source ->> 'digest' from subscriber_uploads where account_id = accounts.id and source is not null
      )
    ) as bytes from accounts where id = ${accountId}`.execute(db);
  return rows[0] && { plan: rows[0].plan, bytes: Number(rows[0].bytes) };
}
