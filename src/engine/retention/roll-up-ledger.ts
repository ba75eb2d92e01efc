import type { Clock } from '#lib/clock.ts';
import type { Db } from '#storage/database.ts';
import { listLedgerMonths, rollUpMonth } from '#storage/roll-up-ledger.ts';
import { quotaPeriod } from '../limits/quota-period.ts';

const BATCH = 1_000;
/** Each round is bounded; the rest is moved in the next one. */
const MAX_BATCHES = 10_000;
const LONGEST_MONTH_MS = 31 * 86_400_000;

/** Sums the ledger of months before the last one, by account, as far as the records of its jobs are deleted. Returns how many rows it moved. */
export async function rollUpLedger({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<number> {
  // The present month and the one before it stay, job by job.
  const before = quotaPeriod(new Date(clock.now().getTime() - LONGEST_MONTH_MS));
  let total = 0;
  let batches = 0;
  for (const month of await listLedgerMonths(db, before)) {
    for (let moved = BATCH; moved === BATCH && batches < MAX_BATCHES; batches += 1) {
      moved = await rollUpMonth(db, month, BATCH);
      total += moved;
    }
  }
  return total;
}
