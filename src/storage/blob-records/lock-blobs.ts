import { sql } from 'kysely';
import type { Tx } from '../database.ts';

export type BlobRole = 'input' | 'work' | 'artifact';

/**
 * Ties blobs to a job. The lock keeps the sweeper away until the reference is committed; false means one of
 * them has been swept since it was put, and the caller must put it again.
 */
export async function referBlobs(
  tx: Tx,
  jobId: string,
  role: BlobRole,
  digests: readonly string[],
): Promise<boolean> {
  const wanted = [...new Set(digests)].sort();
  if (wanted.length === 0) return true;
  const { rows } = await sql<{ digest: string }>`
    select digest from blobs where digest = any(${wanted}) order by digest for key share`.execute(tx);
  if (rows.length !== wanted.length) return false;
  await sql`
    insert into blob_refs (digest, job_id, role) select digest, ${jobId}, ${role} from unnest(${wanted}::text[]) digest
    on conflict do nothing`.execute(tx);
  return true;
}
