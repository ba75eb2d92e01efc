import type { RequestConflict } from '#http/watch-conflicts.ts';
import type { Clock } from '#lib/clock.ts';
import type { Ids } from '#lib/ids.ts';
import { insertConflict, type NewConflict } from '#storage/console/request-key-records.ts';
import type { Db } from '#storage/database.ts';

/** Maximum number of queued writes: under a flood of conflicts the newest are dropped. */
const MAX_WAITING = 200;

export interface ConflictLogParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: Ids;
  /** How long a key belongs to its first request; a conflict is kept as long. */
  readonly windowSeconds: (surface: RequestConflict['surface']) => number;
  readonly onError: (error: unknown) => void;
}

/** Stores requests whose key belongs to a different one: after the response, one write at a time, at best effort. */
export class ConflictLog {
  readonly #parts: ConflictLogParts;
  readonly #waiting: NewConflict[] = [];
  #writing = false;

  constructor(parts: ConflictLogParts) {
    this.#parts = parts;
  }

  /** An arrow function, so that it can be passed on. */
  note = (conflict: RequestConflict): void => {
    if (this.#waiting.length >= MAX_WAITING) return;
    const { clock, ids, windowSeconds } = this.#parts;
    const at = clock.now();
    const expiresAt = new Date(at.getTime() + windowSeconds(conflict.surface) * 1000);
    this.#waiting.push({ ...conflict, id: ids.uuid(), at, expiresAt });
    if (!this.#writing) void this.#write();
  };

  async #write(): Promise<void> {
    this.#writing = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      await insertConflict(this.#parts.db, next).catch(this.#parts.onError);
    this.#writing = false;
  }
}
