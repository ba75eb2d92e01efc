import { listRedrivable } from '#storage/ingest/quarantine.ts';
import type { IngestKindParts } from '../parts.ts';
import { redriveWaves } from './redrive.ts';

/** After an acceptance its transaction still has to commit; whatever is missed, the chore finds. */
const SOON_MS = 100;

/** In the history, in place of a request's correlation id. */
export const AUTO_REDRIVE = 'auto-redrive';

/**
 * Re-drives quarantined items by itself when what they miss has arrived. Nothing is remembered: what may pass
 * is asked of the database, so a crash or a race between "quarantined" and "arrived" loses no item, it only
 * waits for the next round of the chore.
 */
export class AutoRedrive {
  readonly #parts: IngestKindParts;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: IngestKindParts, onError: (error: unknown) => void) {
    this.#parts = parts;
    this.#onError = onError;
  }

  /** Soon, once for however many calls; the timer keeps no process alive. */
  nudge(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.run().catch(this.#onError);
    }, SOON_MS).unref();
  }

  /** One round over all partners; returns how many records were accepted. */
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
