import type { Clock } from '#lib/clock.ts';
import { faultPoint } from '#lib/fault-points.ts';
import { Turnstile } from '#lib/turnstile.ts';
import {
  claimReleasedBlobs,
  condemnBlobs,
  deleteBlobRecords,
  forgetReleasedBlobs,
  holdUnrecordedBlobs,
  listUnreferencedBlobs,
  lockCondemnedBlobs,
} from '#storage/blob-records.ts';
import type { Db } from '#storage/database.ts';
import { deleteHiddenProjects } from '#storage/deleted-projects.ts';
import { deleteOldPresence } from '#storage/project-presence.ts';
import {
  deleteExpiredRequestKeys,
  deleteOldEvents,
  deleteOldJobs,
  listSettledJobs,
  purgeDelivered,
  purgeOverdue,
  releaseInputs,
  type TimedRow,
} from '#storage/retention.ts';
import { deleteExpiredVerifyIds } from '#storage/verify-ids.ts';
import { RESTORABLE_MS } from './deleted-projects.ts';
import { inWindow } from './sweep-window.ts';

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
/** Records of tabs expire much earlier; this only removes them. */
const PRESENCE_SECONDS = 3_600;
const BATCH = 1_000;
const DELETES_AT_ONCE = 16;
/** Each round is bounded; the rest is deleted in the next one. */
const MAX_BATCHES = 100;

/**
 * Runs one round of deletions. Idempotent, bounded, and safe on all nodes at once. It reads only rows that may have to be
 * deleted: what expired since the last round (sweep-window.ts), and what lost its last reference.
 */
export async function sweep({ db, clock, blobs, settings }: SweepParts): Promise<Swept> {
  const now = clock.now();
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const purged = await purgeArtifacts(db, now);
  await inWindow(db, { name: 'inputs', now, until: ago(settings.artifactSeconds) }, async (window) => {
    await releaseInputs(db, window);
    return window.until;
  });
  const keys = await deleteKeys(db, now);
  const forget = { db, now, settledBefore: ago(settings.jobRetentionSeconds) };
  const jobs = await sweepJobs(forget, [...purged, ...keys.jobIds]);
  const events = await inBatches(() => deleteOldEvents(db, forget.settledBefore, BATCH));
  await inBatches(() => deleteHiddenProjects(db, ago(RESTORABLE_MS / 1000), BATCH));
  await inBatches(() => deleteExpiredVerifyIds(db, now, BATCH));
  await deleteOldPresence(db, ago(PRESENCE_SECONDS));
  const swept = await sweepBlobs(db, blobs, now);
  return { artifacts: purged.length, blobs: swept, requestKeys: keys.deleted, jobs, events };
}

/** Purges artifacts that are due. Returns their jobs. */
async function purgeArtifacts(db: Db, now: Date): Promise<string[]> {
  const jobIds: string[] = [];
  await inBatches(async () => {
    const overdue = await purgeOverdue(db, now, BATCH);
    jobIds.push(...overdue);
    return overdue.length;
  });
  let last: TimedRow | undefined;
  for (let i = 0; i < MAX_BATCHES; i += 1) {
    const purged = await purgeDelivered(db, now, last, BATCH);
    jobIds.push(...purged.jobIds);
    last = purged.last;
    if (last === undefined) break;
  }
  return jobIds;
}

/** Deletes expired request keys. Returns their jobs, whose records may have been kept for them. */
async function deleteKeys(db: Db, now: Date): Promise<{ deleted: number; jobIds: string[] }> {
  const jobIds: string[] = [];
  const deleted = await inBatches(async () => {
    const batch = await deleteExpiredRequestKeys(db, now, BATCH);
    jobIds.push(...batch.jobIds);
    return batch.deleted;
  });
  return { deleted, jobIds };
}

/**
 * Deletes job records that are past their retention: those that reached it since the last round, and `freed` ones, which lost
 * what kept them.
 */
async function sweepJobs(
  { db, now, settledBefore }: { readonly db: Db; readonly now: Date; readonly settledBefore: Date },
  freed: readonly string[],
): Promise<number> {
  let deleted = 0;
  let reused: string[] = [...freed];
  const remove = async (ids: readonly string[]) => {
    const batch = await deleteOldJobs(db, ids, settledBefore);
    deleted += batch.deleted;
    reused.push(...batch.reused);
  };
  await inWindow(db, { name: 'jobs', now, until: settledBefore }, async (window) => {
    let last: TimedRow | undefined;
    for (let i = 0; i < MAX_BATCHES; i += 1) {
      const batch = await listSettledJobs(db, window, last, BATCH);
      await remove(batch.map(({ id }) => id));
      if (batch.length < BATCH) return window.until;
      last = batch.at(-1);
    }
    return last?.at ?? window.until;
  });
  // A deleted job frees the one whose result it reused, which may free another one.
  while (reused.length > 0) {
    const batch = reused.slice(0, BATCH);
    reused = reused.slice(BATCH);
    await remove(batch);
  }
  return deleted;
}

/** Deletes unreferenced blobs. Returns how many. */
async function sweepBlobs(db: Db, blobs: SweptBlobs, now: Date): Promise<number> {
  const putBefore = new Date(now.getTime() - YOUNG_MS);
  await inWindow(db, { name: 'blobs', now, until: putBefore }, async ({ from, until }) => {
    await listUnreferencedBlobs(db, from, until);
    return until;
  });
  let deleted = 0;
  let lastId = 0;
  const failures: unknown[] = [];
  for (let i = 0; i < MAX_BATCHES; i += 1) {
    const batch = await sweepReleased(db, blobs, putBefore, lastId);
    deleted += batch.deleted.length;
    failures.push(...batch.failures);
    // A single file that cannot be deleted must not keep the others; without any deletion the store is unavailable.
    if (batch.lastId === undefined || (batch.failures.length > 0 && batch.deleted.length === 0)) break;
    lastId = batch.lastId;
  }
  if (failures.length > 0) throw failures[0];
  return deleted;
}

interface SweptBatch extends DeletedFiles {
  readonly lastId: number | undefined;
}

/**
 * Examines the next candidates. What must go is condemned in a transaction of its own, because a kill cannot undo the deletion of
 * files. The files are deleted while their records are locked: a put of the same content records
 * itself before it places its file, so it waits here and places the file afterwards. A file that cannot be deleted keeps its
 * record and remains a candidate.
 */
async function sweepReleased(
  db: Db,
  blobs: SweptBlobs,
  putBefore: Date,
  afterId: number,
): Promise<SweptBatch> {
  const { released, condemned } = await db.transaction().execute(async (tx) => {
    const claimed = await claimReleasedBlobs(tx, afterId, BATCH);
    const digests = claimed.map(({ digest }) => digest);
    if (digests.length === 0) return { released: [], condemned: [] };
    return { released: claimed, condemned: await condemnBlobs(tx, digests, putBefore) };
  });
  if (released.length === 0) return { deleted: [], failures: [], lastId: undefined };
  await faultPoint('sweep.after-condemned');
  return db.transaction().execute(async (tx) => {
    const digests = await lockCondemnedBlobs(tx, condemned);
    await faultPoint('sweep.after-record');
    const files = await deleteFiles(blobs, digests);
    await faultPoint('sweep.after-files');
    await deleteBlobRecords(tx, files.deleted);
    await forgetReleasedBlobs(tx, released, putBefore);
    return { ...files, lastId: released.at(-1)?.id };
  });
}

interface DeletedFiles {
  readonly deleted: readonly string[];
  readonly failures: readonly unknown[];
}

/**
 * Deletes files, several at a time because a network store is slow. All deletions have ended when this returns, so that none
 * happens late.
 */
async function deleteFiles(blobs: SweptBlobs, digests: readonly string[]): Promise<DeletedFiles> {
  const turnstile = new Turnstile(DELETES_AT_ONCE);
  const ended = await Promise.allSettled(digests.map((digest) => turnstile.run(() => blobs.delete(digest))));
  return {
    deleted: digests.filter((_, i) => ended[i]?.status === 'fulfilled'),
    failures: ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : [])),
  };
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
 * Deletes orphaned files. They have a record meanwhile, so that a put of the same content waits, as in `sweepReleased`.
 */
function deleteOrphans({ db, clock, blobs }: Omit<SweepParts, 'settings'>, digests: readonly string[]) {
  return db.transaction().execute(async (tx) => {
    const orphans = await holdUnrecordedBlobs(tx, digests, clock.now());
    const { deleted, failures } = await deleteFiles(blobs, orphans);
    if (failures.length > 0) throw failures[0];
    await deleteBlobRecords(tx, orphans);
    return deleted.length;
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
