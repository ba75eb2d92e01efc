import type { DatabaseClock } from '#lib/database-clock.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { Db } from '#storage/database.ts';
import { readDatabaseTime } from '#storage/nodes.ts';

/** A machine whose clock differs by more is not ready: signatures, certificates and log lines would be wrong. */
export const MAX_SKEW_MS = 5_000;
/** A machine whose clock differs by more does not start. */
const MAX_SKEW_AT_START_MS = 60_000;
/** A slower round trip says too little about the moment at which the database read its clock. */
const MAX_ROUND_TRIP_MS = 2_000;

/** Reads the database's clock and sets ours to it. */
export async function readClock(db: Db, clock: DatabaseClock): Promise<void> {
  const sentAt = clock.monotonicMs;
  const databaseMs = (await readDatabaseTime(db)).getTime();
  const receivedAt = clock.monotonicMs;
  if (receivedAt - sentAt <= MAX_ROUND_TRIP_MS) clock.set({ databaseMs, sentAt, receivedAt });
}

/** Reads the database's clock for the first time. Throws if the machine's clock is far from it. */
export async function startClock(db: Db, clock: DatabaseClock): Promise<void> {
  await readClock(db, clock);
  if (Math.abs(clock.skewMs) <= MAX_SKEW_AT_START_MS) return;
  throw new OperatorError(
    `The clock of this machine is ${describeSkew(clock.skewMs)} the database's; at most ${MAX_SKEW_AT_START_MS / 1000} s are allowed. Synchronize the clocks of all machines (NTP), then start again.`,
  );
}

/** Says why a node with this clock is not ready, after another reading: the machine may have slept since the last one. */
export async function clockProblem(db: Db, clock: DatabaseClock): Promise<string | undefined> {
  if (Math.abs(clock.skewMs) <= MAX_SKEW_MS) return undefined;
  // Without the database, the last reading decides.
  await readClock(db, clock).catch(() => {});
  if (Math.abs(clock.skewMs) <= MAX_SKEW_MS) return undefined;
  return `${describeSkew(clock.skewMs)} the database's; at most ${MAX_SKEW_MS / 1000} s are allowed`;
}

export function describeSkew(skewMs: number): string {
  return `${(Math.abs(skewMs) / 1000).toFixed(1)} s ${skewMs < 0 ? 'behind' : 'ahead of'}`;
}
