import type pg from 'pg';
import {
  type Claims,
  type EntryClaim,
  findEntriesBehind,
  moveStrayEntries,
  type Positions,
} from '#storage/queue/claim-entries.ts';
import { lanes } from '#storage/queue/lanes.ts';

/**
 * A claim reads entries that are younger than this again. An entry has the time at which its transaction began, so one
 * that commits later appears behind entries that were claimed meanwhile.
 */
const OVERLAP_MICROSECONDS = 5_000_000;

/**
 * Transactions that take longer than the overlap are rare, and a search for their entries reads all dead entries. It may
 * take this share of the time, as long as it still runs every few seconds.
 */
const SEARCH_SHARE = 0.005;
const MIN_SEARCH_MS = 2_000;
/** On a slow machine the share would be minutes. */
const MAX_SEARCH_MS = 10_000;

/**
 * One claim in this many takes the entries that wait longest, whatever their lanes. Otherwise an account with many slices would
 * wait as long as others keep adding a few. Age must not count for more: the whole backlog of an account grows old, and would then
 * pass every new job.
 */
const CLAIMS_PER_OLDEST = 8;

/**
 * Claims the entries of one queue. Remembers for each lane the position before which there is no live entry, so that a
 * claim does not read the dead entries before it. Searches behind these positions from time to time, beside the claims.
 */
export class LaneClaims {
  readonly #pool: pg.Pool;
  readonly #name: string;
  readonly #onError: (error: Error) => void;
  readonly #ages: boolean;
  #from: Positions = lanes.map(() => 0);
  #claims = 0;
  #nextSearch = 0;
  #search: Promise<void> | undefined;

  constructor(
    pool: pg.Pool,
    name: string,
    /** `ages`: an entry in a late lane is claimed in the end, even if the lanes before it are never empty. */
    { ages, onError }: { readonly ages: boolean; readonly onError: (error: Error) => void },
  ) {
    this.#pool = pool;
    this.#name = name;
    this.#ages = ages;
    this.#onError = onError;
  }

  async claim<Entry>(
    limit: number,
    claim: (pool: pg.Pool, what: EntryClaim) => Promise<Claims<Entry>>,
  ): Promise<readonly Entry[]> {
    if (this.#search === undefined && performance.now() >= this.#nextSearch)
      this.#search = this.#searchBehind().catch(this.#onError);
    const from = this.#from;
    this.#claims = (this.#claims + 1) % CLAIMS_PER_OLDEST;
    const oldestFirst = this.#ages && this.#claims === 0;
    const { entries, heads, now } = await claim(this.#pool, { name: this.#name, limit, from, oldestFirst });
    // A search that ended meanwhile may have moved a position back. Reading from there is for the next claim.
    this.#from = this.#from.map((position, i) => {
      const head = heads[i] ?? null;
      return position < (from[i] ?? 0) || head === null
        ? position
        : Math.min(head, now - OVERLAP_MICROSECONDS);
    });
    return entries;
  }

  /** Resolves when no statement of this queue is running. */
  async idle(): Promise<void> {
    await this.#search;
  }

  async #searchBehind(): Promise<void> {
    const began = performance.now();
    try {
      await moveStrayEntries(this.#pool, this.#name);
      const found = await findEntriesBehind(this.#pool, this.#name, this.#from);
      this.#from = this.#from.map((position, i) => Math.min(position, found[i] ?? position));
    } finally {
      const ended = performance.now();
      const pauseMs = Math.max(MIN_SEARCH_MS, (ended - began) / SEARCH_SHARE);
      this.#nextSearch = ended + Math.min(MAX_SEARCH_MS, pauseMs);
      this.#search = undefined;
    }
  }
}
