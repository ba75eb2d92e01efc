import type { Clock } from '#lib/clock.ts';
import { faultPoint } from '#lib/fault-points.ts';
import { Turnstile } from '#lib/turnstile.ts';
import { deleteUnreferencedBlobs, holdUnrecordedBlobs, releaseHeldBlobs } from '#storage/blob-records.ts';
import type { Db } from '#storage/database.ts';
import {
  deleteExpiredRequestKeys,
  deleteOldEvents,
  deleteOldJobs,
  purgeArtifacts,
} from '#storage/retention.ts';

export interface SweepParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly blobs: SweptBlobs;
  readonly settings: { readonly artifactSeconds: number; readonly jobRetentionSeconds: number };
}

/** The part of the blob store that the sweep needs. */
export interface SweptBlobs {
  delete(digest: string): Promise<void>;
  /** Lists everything that is stored, even without a record. */
  list(): AsyncIterable<{ readonly digest: string; readonly storedAt: Date }>;
}

export interface Swept {
  readonly artifacts: number;
  readonly blobs: number;
  readonly requestKeys: number;
  readonly jobs: number;
  readonly events: number;
}

/** Younger blobs are never deleted: an upload may still be on its way to its job. */
const YOUNG_MS = 3_600_000;
const BATCH = 1_000;
const DELETES_AT_ONCE = 16;
/** Each round is bounded; the rest is deleted in the next one. */
const MAX_BATCHES = 100;

/** Runs one round of deletions. Idempotent, bounded, and safe on all nodes at once. */
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
 * Deletes unreferenced blobs. The files are deleted before the deletion of their records is committed: a put of the
 * same content records itself before it places its file, so it waits here and places the file afterwards.
 */
function sweepBlobs(db: Db, blobs: SweptBlobs, putBefore: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const digests = await deleteUnreferencedBlobs(tx, putBefore, BATCH);
    await faultPoint('sweep.after-record');
    await deleteFiles(blobs, digests);
    return digests.length;
  });
}

/**
 * Deletes files, several at a time because a network store is slow. All deletions have ended when this returns or
 * throws, so that none happens late.
 */
async function deleteFiles(blobs: SweptBlobs, digests: readonly string[]): Promise<void> {
  const turnstile = new Turnstile(DELETES_AT_ONCE);
  const ended = await Promise.allSettled(digests.map((digest) => turnstile.run(() => blobs.delete(digest))));
  const failed = ended.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/**
 * Deletes stored files without a record: uploads cut off by a crash before their record, and files whose record was
 * lost with a database. Reads the whole store, so it runs rarely.
 */
export async function sweepOrphanFiles(parts: Omit<SweepParts, 'settings'>): Promise<number> {
  const young = parts.clock.now().getTime() - YOUNG_MS;
  let deleted = 0;
  let batch: string[] = [];
  for await (const { digest, storedAt } of parts.blobs.list()) {
    if (storedAt.getTime() >= young) continue;
    batch.push(digest);
    if (batch.length < BATCH) continue;
    deleted += await deleteOrphans(parts, batch);
    batch = [];
  }
  return deleted + (await deleteOrphans(parts, batch));
}

/**
 * Deletes orphaned files. They have a record meanwhile, so that a put of the same content waits, as in `sweepBlobs`.
 */
function deleteOrphans({ db, clock, blobs }: Omit<SweepParts, 'settings'>, digests: readonly string[]) {
  return db.transaction().execute(async (tx) => {
    const orphans = await holdUnrecordedBlobs(tx, digests, clock.now());
    await deleteFiles(blobs, orphans);
    await releaseHeldBlobs(tx, orphans);
    return orphans.length;
  });
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
