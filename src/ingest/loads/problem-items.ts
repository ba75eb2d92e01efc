import type { Db } from '#storage/database.ts';
import { findSliceResults } from '#storage/ingest/loads.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import type { ItemOutcome } from '../pipeline/item-outcome.ts';
import { unpackOutcomes } from './packed-outcomes.ts';

export interface ProblemItem extends ItemOutcome {
  /** Position in the load, from 1. */
  readonly ordinal: number;
}

/** Lists rejected and quarantined items of a load in payload order, from the results stored so far. */
export async function listProblemItems(
  db: Db,
  job: Pick<JobRecord, 'id'>,
  page: { readonly slice: number; readonly line: number; readonly limit: number },
): Promise<{
  readonly items: readonly ProblemItem[];
  readonly next: { readonly slice: number; readonly line: number } | undefined;
}> {
  const items: ProblemItem[] = [];
  let before = 0;
  for (let n = 0; ; ) {
    const slice = await findSliceResults(db, job.id, n);
    if (slice === undefined) return { items, next: undefined };
    const outcomes = unpackOutcomes(slice.results);
    if (slice.n >= page.slice) {
      for (let i = slice.n === page.slice ? page.line : 0; i < outcomes.length; i += 1) {
        const outcome = outcomes[i];
        if (outcome?.status !== 'REJECTED' && outcome?.status !== 'QUARANTINED') continue;
        if (items.length === page.limit) return { items, next: { slice: slice.n, line: i } };
        items.push({ ...outcome, ordinal: before + i + 1 });
      }
    }
    before += outcomes.length;
    n = slice.n + 1;
  }
}
