import { deleteExpiredUploads } from '#storage/subscribers/uploads.ts';
import type { SubscribersKindParts } from '../parts.ts';

const DAY_MS = 86_400_000;
const BATCH = 1_000;
/** Limits one run; the next run continues. */
const MAX_BATCHES = 100;

/** Deletes uploads a day after their links expired; safe on all nodes. */
export async function sweepUploads({
  db,
  clock,
}: Pick<SubscribersKindParts, 'db' | 'clock'>): Promise<number> {
  const expiredBefore = new Date(clock.now().getTime() - DAY_MS);
  let deleted = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const now = await deleteExpiredUploads(db, expiredBefore, BATCH);
    deleted += now;
    if (now < BATCH) break;
  }
  return deleted;
}
