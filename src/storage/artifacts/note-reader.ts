import type { Db } from '../database.ts';

/** Says that somebody reads an artifact, now; purging waits for readers that were seen lately. */
export async function noteReader(db: Db, id: string, artifactId: string, now: Date): Promise<void> {
  await db
    .insertInto('artifact_readers')
    .values({ id, artifact_id: artifactId, seen_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
    .execute();
}

export async function forgetReader(db: Db, id: string): Promise<void> {
  await db.deleteFrom('artifact_readers').where('id', '=', id).execute();
}
