import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** The sizes of blobs by digest; a blob without a record is left out. */
export async function findBlobSizes(
  db: Db,
  digests: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ digest: string; size_bytes: string }>`
    select digest, size_bytes from blobs where digest = any(${digests})`.execute(db);
  return new Map(rows.map(({ digest, size_bytes }) => [digest, Number(size_bytes)]));
}
