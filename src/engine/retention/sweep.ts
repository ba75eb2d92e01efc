import type { Clock } from '../../lib/clock.ts';
import { faultPoint } from '../../lib/fault-points.ts';
import type { Db } from '../../storage/database.ts';
import {
  deleteExpiredRequestKeys,
  deleteOldEvents,
  deleteOldJobs,
} from '../../storage/retention/delete-expired.ts';
import {
  deleteUnreferencedBlobs,
  findRecordedBlobs,
} from '../../storage/retention/delete-unreferenced-blobs.ts';
import { purgeArtifacts } from '../../storage/retention/purge-artifacts.ts';

export interface SweepParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly blobs: SweptBlobs;
  readonly settings: { readonly artifactSeconds: number; readonly jobRetentionSeconds: number };
}

/** The part of the blob store that forgetting needs. */
export interface SweptBlobs {
  delete(digest: string): Promise<void>;
  /** Everything that is stored, also what no record knows of. */
  list(): AsyncIterable<{ readonly digest: string; readonly storedAt: Date }>;
}

export interface Swept {
  readonly artifacts: number;
  readonly blobs: number;
  readonly requestKeys: number;
  readonly jobs: number;
  readonly events: number;
}

/** Nothing younger is touched: an upload may still be on its way to its job. */
const YOUNG_MS = 3_600_000;
const BATCH = 1_000;
/** A chore is bounded; what is left waits for its next turn. */
const MAX_BATCHES = 100;

/** One round of forgetting. Idempotent, bounded, and safe on all nodes at once. */
export async function sweep({ db, clock, blobs, settings }: SweepParts): Promise<Swept> {
  const now = clock.now();
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const artifacts = await purgeArtifacts(db, now, ago(settings.artifactSeconds));
  const requestKeys = await inBatches(() => deleteExpiredRequestKeys(db, now, BATCH));
  const jobs = await inBatches(() => deleteOldJobs(db, ago(settings.jobRetentionSeconds), BATCH));
  const events = await inBatches(() => deleteOldEvents(db, ago(settings.jobRetentionSeconds), BATCH));
  const swept = await inBatches(() => sweepBlobs(db, blobs, new Date(now.getTime() - YOUNG_MS)));
  return { artifacts, blobs: swept, requestKeys, jobs, events };
}

/**
 * The files go while the deletion of their records is not yet committed: a put of the same content records
 * itself before it places its file, so it waits here and places the file after this one is gone.
 */
function sweepBlobs(db: Db, blobs: SweptBlobs, putBefore: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const digests = await deleteUnreferencedBlobs(tx, putBefore, BATCH);
    await faultPoint('sweep.after-record');
    for (const digest of digests) await blobs.delete(digest);
    return digests.length;
  });
}

/**
 * Deletes stored files that no record knows: uploads cut off by a crash before their record, and files whose
 * record was lost with a database. Reads the whole store, so it runs seldom.
 */
export async function sweepOrphanFiles({ db, clock, blobs }: Omit<SweepParts, 'settings'>): Promise<number> {
  const young = clock.now().getTime() - YOUNG_MS;
  let deleted = 0;
  let batch: string[] = [];
  const flush = async () => {
    const recorded = await findRecordedBlobs(db, batch);
    for (const digest of batch.filter((candidate) => !recorded.has(candidate))) {
      await blobs.delete(digest);
      deleted += 1;
    }
    batch = [];
  };
  for await (const { digest, storedAt } of blobs.list()) {
    if (storedAt.getTime() >= young) continue;
    batch.push(digest);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return deleted;
}

async function inBatches(run: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let i = 0; i < MAX_BATCHES; i += 1) {
    const done = await run();
    total += done;
    if (done < BATCH) break;
  }
  return total;
}
