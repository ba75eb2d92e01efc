import type { Db } from '#storage/database.ts';
import { type AcceptedRows, type InsertOutcome, insertAccepted } from '#storage/jobs/insert-accepted.ts';

interface Member {
  readonly rows: AcceptedRows;
  readonly resolve: (outcome: InsertOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Statements that run at the same time. One more would only make the groups smaller. */
const MAX_RUNNING = 2;
/** A statement that takes this long no longer keeps others from starting. */
const SLOW_MS = 100;
/** A group that waits this long for a key is written one by one, so that one member waits and the others do not. */
const GROUP_LOCK_MS = 100;
/** The request is given up after 8 s. Its statement must end before: it would hold a connection until the key is free. */
const LOCK_MS = 7_000;
const MAX_MEMBERS = 32;
/** A larger job is a group of its own, so that others do not wait for it. */
const MAX_SLICES = 20;
const MAX_INPUT_CHARS = 20_000;

/**
 * SQLSTATE codes of errors after which the statement has certainly been rolled back: bad data, a constraint, a deadlock, a
 * limit of the server such as the depth of JSON, a lock that was not available in time.
 */
const ROLLED_BACK = /^(?:22|23|40|54|55P03)/;

/**
 * Writes accepted jobs. Jobs that arrive while others are being written are written by one statement, which costs the
 * database about a fifth for each, and one wait for the disk for all. An error of one member is its own: the others are
 * written again without it.
 */
export class JobIntake {
  readonly #db: Db;
  readonly #lockMs: number;
  #waiting: Member[] = [];
  #running = 0;
  #isScheduled = false;

  constructor(db: Db, { lockMs = LOCK_MS }: { readonly lockMs?: number } = {}) {
    this.#db = db;
    this.#lockMs = lockMs;
  }

  insert(rows: AcceptedRows): Promise<InsertOutcome> {
    if (rows.slices.length > MAX_SLICES || rows.job.input.length > MAX_INPUT_CHARS)
      return this.#insertOne(rows);
    const { promise, resolve, reject } = Promise.withResolvers<InsertOutcome>();
    this.#waiting.push({ rows, resolve, reject });
    this.#schedule();
    return promise;
  }

  /** Starts after the current events, so that jobs that arrive together are written together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      while (this.#running < MAX_RUNNING && this.#waiting.length > 0)
        void this.#writeGroup(this.#takeGroup());
    });
  }

  /** Takes the longest waiting members. The second one with a key stays, and then finds the key taken. */
  #takeGroup(): Member[] {
    const keys = new Set<string>();
    const group: Member[] = [];
    this.#waiting = this.#waiting.filter((member) => {
      const { claim } = member.rows;
      const key = claim && JSON.stringify([claim.accountId, claim.scope, claim.key]);
      if (group.length === MAX_MEMBERS || (key !== undefined && keys.has(key))) return true;
      if (key !== undefined) keys.add(key);
      group.push(member);
      return false;
    });
    return group;
  }

  async #writeGroup(group: readonly Member[]): Promise<void> {
    this.#running += 1;
    let isCounted = true;
    const free = () => {
      if (!isCounted) return;
      isCounted = false;
      this.#running -= 1;
      if (this.#waiting.length > 0) this.#schedule();
    };
    const slow = setTimeout(free, SLOW_MS);
    try {
      const outcomes = await insertAccepted(
        this.#db,
        group.map(({ rows }) => rows),
        group.length === 1 ? this.#lockMs : GROUP_LOCK_MS,
      );
      for (const { rows, resolve } of group) resolve(outcomeOf(outcomes, rows));
    } catch (error) {
      if (group.length === 1 || !ROLLED_BACK.test((error as { code?: string }).code ?? ''))
        for (const { reject } of group) reject(error);
      else for (const { rows, resolve, reject } of group) this.#insertOne(rows).then(resolve, reject);
    } finally {
      clearTimeout(slow);
      free();
    }
  }

  async #insertOne(rows: AcceptedRows): Promise<InsertOutcome> {
    return outcomeOf(await insertAccepted(this.#db, [rows], this.#lockMs), rows);
  }
}

function outcomeOf(outcomes: ReadonlyMap<string, InsertOutcome>, { job }: AcceptedRows): InsertOutcome {
  const outcome = outcomes.get(job.id);
  if (outcome === undefined) throw new Error('bug: an accepted job has no outcome');
  return outcome;
}
