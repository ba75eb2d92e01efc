import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/**
 * Of these digests, those without a record. Until the transaction ends they have one, so that a put of the same content
 * waits for it; `releaseHeldBlobs` takes them back before the commit.
 */
export async function holdUnrecordedBlobs(tx: Tx, digests: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`
    insert into blobs (digest, size_bytes, last_put_at)
    select digest, 0, ${now} from unnest(${digests}::text[]) digest order by digest
    on conflict (digest) do nothing
    returning digest`.execute(tx);
  return rows.map((row) => row.digest);
}

export async function releaseHeldBlobs(tx: Tx, digests: readonly string[]): Promise<void> {
  await sql`delete from blobs where digest = any(${digests})`.execute(tx);
}
