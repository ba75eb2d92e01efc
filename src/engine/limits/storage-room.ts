import type { Plan } from '#config/plans.ts';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import { measureAccount } from '#storage/accounts.ts';
import type { Db } from '#storage/database.ts';
import type { FreeSpace } from '#storage/free-space.ts';

/** Files expire at most a day after their job; an hour is a reasonable first retry. */
const RETRY_AFTER_SECONDS = 3_600;

/**
 * Checks that the disk and the plan of an account allow more bytes. Everything that receives new bytes calls it first;
 * accepted jobs do not, so that they can finish.
 */
export class StorageRoom {
  readonly #db: Db;
  readonly #space: FreeSpace;
  readonly #plans: ReadonlyMap<string, Plan>;
  readonly #isLimited: boolean;

  constructor(db: Db, space: FreeSpace, plans: ReadonlyMap<string, Plan>) {
    this.#db = db;
    this.#space = space;
    this.#plans = plans;
    this.#isLimited = [...plans.values()].some(({ maxStoredBytes }) => maxStoredBytes !== null);
  }

  /** Throws a SurroundingsError if the disk is below its floor, or the account may not store `bytes` more. */
  async require(accountId: string, bytes = 1): Promise<void> {
    await this.#space.check();
    // No plan has a limit: the common case costs no query.
    if (!this.#isLimited) return;
    const stored = await measureAccount(this.#db, accountId);
    const limit = this.#plans.get(stored?.plan ?? '')?.maxStoredBytes ?? null;
    if (stored === undefined || limit === null || stored.bytes + bytes <= limit) return;
    throw new SurroundingsError('storageFull', 'an account has reached the storage limit of its plan', {
      message: `This account stores ${stored.bytes} bytes and its plan allows ${limit}. Delete jobs that are no longer needed, or wait until their files expire.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  /** Passes a body through while the disk is above its floor. */
  guarded<T extends Uint8Array>(bytes: AsyncIterable<T>): AsyncGenerator<T> {
    return this.#space.guarded(bytes);
  }
}
