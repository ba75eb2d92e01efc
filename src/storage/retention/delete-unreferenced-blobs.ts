import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/**
 * Deletes the records of blobs nobody refers to and nobody has put for a while, and returns their digests:
 * their files may go now. A blob that is being tied to a job is locked and left alone.
 */
export async function deleteUnreferencedBlobs(tx: Tx, putBefore: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`
    delete from blobs where digest in (
      select b.digest from blobs b
      where b.last_put_at < ${putBefore} and not exists (select from blob_refs r where r.digest = b.digest)
      limit ${limit} for update skip locked)
    returning digest`.execute(tx);
  return rows.map((row) => row.digest);
}
