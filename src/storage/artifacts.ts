import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tx } from './database.ts';
import type { Artifacts, Deliveries } from './db-types.ts';
import { json } from './json.ts';
import { everyColumn, prepared } from './prepared-statements.ts';

export interface DeliveryRecord {
  readonly id: string;
  readonly job_id: string;
  readonly expires_at: Date;
  readonly artifact_id: string;
  readonly artifact_job_id: string;
  readonly media_type: string;
  readonly size_bytes: number;
  readonly etag: string;
  readonly parts: unknown;
  readonly purged_at: Date | null;
}

/** Returns a job's delivery with its artifact, expired or not. */
export async function findDelivery(db: Db, jobId: string): Promise<DeliveryRecord | undefined> {
  return (await findDeliveries(db, [jobId])).get(jobId);
}

/** Returns the deliveries of these jobs, by job id. A job without a delivery is not in the map. */
export async function findDeliveries(
  db: Db,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, DeliveryRecord>> {
  const { rows } = await sql<DeliveryRecord>`${prepared}
    select d.id, d.job_id, d.expires_at, a.id as artifact_id, a.job_id as artifact_job_id,
           a.media_type, a.size_bytes, a.etag, a.parts, a.purged_at
    from deliveries d join artifacts a on a.id = d.artifact_id
    where d.job_id = any(${jobIds}::uuid[])`.execute(db);
  return new Map(rows.map((delivery) => [delivery.job_id, delivery]));
}

export type ArtifactRecord = Selectable<Artifacts>;

const artifactColumns = sql.raw(
  everyColumn<Artifacts>({
    account_id: true,
    etag: true,
    id: true,
    job_id: true,
    made_at: true,
    media_type: true,
    parts: true,
    purge_at: true,
    purged_at: true,
    size_bytes: true,
  })('a'),
);

/**
 * Finds an artifact of the same account and the same work that can still be delivered. The lock keeps the sweeper from
 * purging it while the reusing job is written.
 */
export async function findReusableArtifact(
  tx: Tx,
  accountId: string,
  workDigest: Buffer,
  now: Date,
): Promise<ArtifactRecord | undefined> {
  const { rows } = await sql<ArtifactRecord>`${prepared}
    select ${artifactColumns} from jobs j join artifacts a on a.job_id = j.id
    where j.account_id = ${accountId}::uuid and j.work_digest = ${workDigest}::bytea and j.state = 'completed'
      and a.purged_at is null and a.purge_at > ${now}::timestamptz
      and exists (select from deliveries d where d.artifact_id = a.id and d.expires_at > ${now}::timestamptz)
    order by a.made_at desc limit 1
    for share of a`.execute(tx);
  return rows[0];
}

export async function insertArtifact(
  tx: Tx,
  artifact: Omit<Insertable<Artifacts>, 'parts'> & { parts: unknown },
): Promise<void> {
  await tx
    .insertInto('artifacts')
    .values({ ...artifact, parts: json(artifact.parts) })
    .execute();
}

export async function insertDelivery(tx: Tx, delivery: Insertable<Deliveries>): Promise<void> {
  await tx.insertInto('deliveries').values(delivery).execute();
}

/** Records that a reader is active. Purging waits for readers that were seen recently. */
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
