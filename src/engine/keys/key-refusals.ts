import type { Clock } from '#lib/clock.ts';
import type { Metrics } from '#lib/metrics.ts';
import type { Db } from '#storage/database.ts';
import { addKeyRefusals, type RefusedKey } from '#storage/keys/key-refusals.ts';
import type { KeySurface } from './key-kinds.ts';

/** Why a key was refused, more exactly than the client may learn. */
export type RefusalReason = 'unknown' | 'secret' | 'address' | 'revoked' | 'expired' | 'inactive';

export interface Refusal {
  readonly surface: KeySurface;
  readonly reason: RefusalReason;
  /** Absent for text that names no stored key. */
  readonly keyId?: string;
  readonly address: string | undefined;
}

export interface KeyRefusalParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Called for each key and address of a batch that is written. */
  readonly onRefused: (refused: RefusedKey) => void;
  readonly onError: (error: unknown) => void;
}

/** One write per interval and node, however many requests are refused. */
const WRITE_EVERY_MS = 10_000;
/** Pairs of key and address that wait for the next write; further ones are only counted as a metric. */
const MAX_PAIRS = 1_000;
const KEEP_PER_KEY = 20;

/**
 * Counts refused uses of keys, and writes those of known keys down by key and address. Never delays a request. Guessing costs
 * one bounded write per interval: attempts are added up in memory first.
 */
export class KeyRefusals {
  readonly #parts: KeyRefusalParts;
  #waiting = new Map<string, RefusedKey>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: KeyRefusalParts) {
    this.#parts = parts;
  }

  /** An arrow, so that it can be handed on as a function. */
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

  /** Writes what waits. Called when the interval ends, and when the server stops. */
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
