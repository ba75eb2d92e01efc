import { listRedrivable } from '#storage/ingest/quarantine.ts';
import type { IngestKindParts } from '../parts.ts';
import { redriveWaves } from './redrive.ts';

/** Delay after an acceptance, whose transaction must commit first. The periodic chore finds what this misses. */
const SOON_MS = 100;

/** Replaces the correlation id of a request in the history. */
export const AUTO_REDRIVE = 'auto-redrive';

/**
 * Re-drives quarantined items when their missing references have arrived. It keeps no state and reads the candidates
 * from the database: after a crash or a race between "quarantined" and "arrived" an item only waits for the next round
 * of the chore.
 */
export class AutoRedrive {
  readonly #parts: IngestKindParts;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: IngestKindParts, onError: (error: unknown) => void) {
    this.#parts = parts;
    this.#onError = onError;
  }

  /** Schedules one round for any number of calls. The timer keeps no process alive. */
  nudge(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.run().catch(this.#onError);
    }, SOON_MS).unref();
  }

  /** Runs one round over all partners. Returns the number of accepted records. */
  async run(): Promise<number> {
    const { db } = this.#parts.database;
    const waiting = await listRedrivable(db, { limit: 1000 });
    let accepted = 0;
    for (const partnerNo of new Set(waiting.map((record) => record.partner_no))) {
      const results = await db
        .transaction()
        .execute((tx) => redriveWaves(this.#parts, tx, { partnerNo, warehouses: null }, AUTO_REDRIVE));
      accepted += results.filter(({ status }) => status === 'ACCEPTED').length;
    }
    if (accepted > 0) this.nudge();
    return accepted;
  }
}
