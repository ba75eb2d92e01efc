import type { Db } from '#storage/database.ts';
import type { Window } from '#storage/retention.ts';
import { findSweepMark, writeSweepMark } from '#storage/sweep-marks.ts';

/** A transaction may commit rows with an earlier time than those already examined, but not this much earlier. */
const OVERLAP_MS = 600_000;
/** Once a day all rows are examined, so that nothing is missed forever, whatever happened. */
const COMPLETE_MS = 86_400_000;

/**
 * Examines the rows that reached `until` since the last round. `examine` returns how far it came; the next round continues there.
 */
export async function inWindow(
  db: Db,
  { name, now, until }: { readonly name: string; readonly now: Date; readonly until: Date },
  examine: (window: Window) => Promise<Date>,
): Promise<void> {
  const mark = await findSweepMark(db, name);
  const sinceComplete = now.getTime() - (mark?.complete_at.getTime() ?? 0);
  // A mark in the future is from a clock that has been corrected since.
  const isComplete = mark === undefined || sinceComplete >= COMPLETE_MS || sinceComplete < 0;
  const from = isComplete ? new Date(0) : new Date(mark.reached.getTime() - OVERLAP_MS);
  const reached = await examine({ from, until });
  await writeSweepMark(db, name, { reached, complete_at: isComplete ? now : mark.complete_at });
}
