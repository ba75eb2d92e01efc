import { SurroundingsError } from './errors/surroundings-error.ts';
import type { OwnMemory } from './own-memory.ts';

/** Bytes reserved for one piece of work. Release them in a `finally`; a second release does nothing. */
export interface Reservation {
  readonly bytes: number;
  /** Reserves more bytes, or throws like `reserve` and keeps the reserved ones. */
  grow(bytes: number): void;
  release(): void;
}

/**
 * Limits the memory that this process holds for requests, in total and per account. A reservation beyond either limit throws a
 * SurroundingsError, for which every surface returns 503 with `Retry-After`.
 *
 * One piece of work may need more than the share of its account, or more than the whole budget. It counts as the whole budget at most and
 * runs when its account holds nothing else, so that a small budget delays it instead of rejecting it every time.
 */
export class ByteBudget {
  readonly totalBytes: number;
  readonly accountBytes: number;
  readonly #memory: Pick<OwnMemory, 'hasRoom'> | undefined;
  readonly #held = new Map<string, number>();
  /** The oldest first. */
  readonly #reservations = new Set<Reservation>();
  #used = 0;
  #refused = 0;

  /** With `memory`, a reservation must also fit into what the process actually has left. */
  constructor(
    totalBytes: number,
    accountBytes: number = Math.ceil(totalBytes / 2),
    memory?: Pick<OwnMemory, 'hasRoom'>,
  ) {
    this.totalBytes = totalBytes;
    this.accountBytes = accountBytes;
    this.#memory = memory;
  }

  get usedBytes(): number {
    return this.#used;
  }

  /** Number of rejected reservations since the start. */
  get refusals(): number {
    return this.#refused;
  }

  /** Reserves bytes. `account` is an account id, or a name for work without an account. */
  reserve(account: string, bytes: number): Reservation {
    let wanted = 0;
    let taken = 0;
    let released = false;
    const grow = (more: number) => {
      if (released) throw new Error('bug: a released reservation grows');
      if (!(more >= 0)) throw new Error(`bug: a reservation grows by ${more}`);
      const next = Math.min(this.totalBytes, wanted + more);
      this.#take(account, taken, next - taken, this.#isOldest(reservation));
      wanted += more;
      taken = next;
    };
    const reservation: Reservation = {
      get bytes() {
        return taken;
      },
      grow,
      release: () => {
        if (released) return;
        released = true;
        this.#reservations.delete(reservation);
        this.#giveBack(account, taken);
      },
    };
    grow(bytes);
    this.#reservations.add(reservation);
    return reservation;
  }

  /** Runs `work` with reserved bytes, and releases them when it ends or fails. */
  async run<T>(account: string, bytes: number, work: (reservation: Reservation) => Promise<T>): Promise<T> {
    const reservation = this.reserve(account, bytes);
    try {
      return await work(reservation);
    } finally {
      reservation.release();
    }
  }

  #isOldest(reservation: Reservation): boolean {
    const [oldest] = this.#reservations;
    return oldest === reservation;
  }

  /** `own` is what the growing reservation already holds. */
  #take(account: string, own: number, more: number, isOldest: boolean): void {
    const held = this.#held.get(account) ?? 0;
    const overShare = held + more > this.accountBytes && held > own;
    if (overShare || this.#used + more > this.totalBytes)
      throw this.#refusal(
        `the memory budget is used up: ${more} more bytes were needed, ${this.#used} of ${this.totalBytes} are in use, ${held} by this account`,
      );
    // The only work is always admitted, so that a process that stays large serves requests one at a time. So is the oldest: if the
    // process becomes full while many hold a little, they would all be rejected.
    if (more > 0 && this.#used > own && !isOldest && this.#memory?.hasRoom(more) === false)
      throw this.#refusal(
        `the process uses its share of the memory: ${more} more bytes were needed, requests hold ${this.#used}`,
      );
    this.#used += more;
    this.#held.set(account, held + more);
  }

  #refusal(detail: string): SurroundingsError {
    this.#refused += 1;
    return new SurroundingsError('unavailable', detail, {
      message: 'The server works on as many bytes as its memory allows. Retry later.',
    });
  }

  #giveBack(account: string, bytes: number): void {
    this.#used -= bytes;
    const left = (this.#held.get(account) ?? 0) - bytes;
    if (left > 0) this.#held.set(account, left);
    else this.#held.delete(account);
  }
}

/** Reserves `factor` bytes for every byte that passes, after the first `free` bytes. */
export async function* metered<T extends Uint8Array>(
  source: AsyncIterable<T>,
  reservation: Reservation,
  { factor = 1, free = 0 }: { readonly factor?: number; readonly free?: number } = {},
): AsyncGenerator<T> {
  let passed = 0;
  for await (const chunk of source) {
    const before = Math.max(0, passed - free);
    passed += chunk.length;
    const counted = Math.max(0, passed - free) - before;
    if (counted > 0) reservation.grow(counted * factor);
    yield chunk;
  }
}
