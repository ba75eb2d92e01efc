import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** Every put is recorded, also of content that was there: it starts the hour in which no sweep may take it. */
export async function touchBlob(db: Db, digest: string, sizeBytes: number, now: Date): Promise<void> {
  await sql`
    insert into blobs (digest, size_bytes, last_put_at) values (${digest}, ${sizeBytes}, ${now})
    on conflict (digest) do update set last_put_at = greatest(blobs.last_put_at, excluded.last_put_at)`.execute(
    db,
  );
}

export async function refreshBlob(db: Db, digest: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update blobs set last_put_at = greatest(last_put_at, ${now}) where digest = ${digest} returning 1`.execute(
    db,
  );
  return rows.length === 1;
}
