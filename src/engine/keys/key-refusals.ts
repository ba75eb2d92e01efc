import type { Clock } from '#lib/clock.ts';
import type { Metrics } from '#lib/metrics.ts';
import type { Db } from '#storage/database.ts';
import { addKeyRefusals, type RefusedKey } from '#storage/keys/key-refusals.ts';

/** Why a key was rejected; more exact than the response to the client. */
export type RefusalReason = 'unknown' | 'secret' | 'address' | 'revoked' | 'expired' | 'inactive';

export interface Refusal {
  readonly surface: string;
  readonly reason: RefusalReason;
  /** Undefined if no stored key has this id. */
  readonly keyId?: string;
  readonly address: string | undefined;
}

export interface KeyRefusalParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Called for each key and address of a written batch. */
  readonly onRefused: (refused: RefusedKey) => void;
  readonly onError: (error: unknown) => void;
}

/** One write per interval and node, however many requests are rejected. */
const WRITE_EVERY_MS = 10_000;
/** Maximum buffered pairs of key and address. Further ones only count in the metric. */
const MAX_PAIRS = 1_000;
const KEEP_PER_KEY = 20;

/**
 * Counts rejected uses of keys and stores those of known keys by key and address. Never delays a request. Attempts are
 * summed in memory, so guessing costs one bounded write per interval.
 */
export class KeyRefusals {
  readonly #parts: KeyRefusalParts;
  #waiting = new Map<string, RefusedKey>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: KeyRefusalParts) {
    this.#parts = parts;
  }

  /** An arrow function, so that it can be passed as a callback. */
  note = ({ surface, reason, keyId, address = '' }: Refusal): void => {
    this.#parts.metrics.count('rowpress_key_refusals_total', { surface, reason });
    if (keyId === undefined) return;
    const pair = `${keyId} ${address}`;
    const known = this.#waiting.get(pair);
    if (known === undefined && this.#waiting.size >= MAX_PAIRS) return;
    const lastAt = this.#parts.clock.now();
    const [firstAt, count] = [known?.firstAt ?? lastAt, (known?.count ?? 0) + 1];
    this.#waiting.set(pair, { keyId, address, reason, count, firstAt, lastAt });
    this.#timer ??= setTimeout(() => this.flush().catch(this.#parts.onError), WRITE_EVERY_MS).unref();
  };

  /** Writes the buffer. Called at the end of the interval and when the server stops. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const refused = [...this.#waiting.values()];
    if (refused.length === 0) return;
    this.#waiting = new Map();
    for (const refusal of refused) this.#parts.onRefused(refusal);
    await addKeyRefusals(this.#parts.db, refused, KEEP_PER_KEY);
  }
}
