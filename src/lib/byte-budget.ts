import { SurroundingsError } from './errors/surroundings-error.ts';

/** Bytes set aside for one piece of work. Release it in a `finally`; a second release does nothing. */
export interface Reservation {
  readonly bytes: number;
  /** Sets further bytes aside, or throws as `reserve` does and keeps what it has. */
  grow(bytes: number): void;
  release(): void;
}

/**
 * Limits what this process holds in memory on behalf of requests: in total, and per account. A reservation beyond
 * either limit throws a SurroundingsError, which every surface answers with 503 and `Retry-After`.
 *
 * One piece of work may need more than the share of its account, or than the whole budget. It counts as the whole
 * budget at most and runs when its account holds nothing else, so that a small budget delays it instead of
 * refusing it for good.
 */
export class ByteBudget {
  readonly totalBytes: number;
  readonly accountBytes: number;
  readonly #held = new Map<string, number>();
  #used = 0;
  #refused = 0;

  constructor(totalBytes: number, accountBytes: number = Math.ceil(totalBytes / 2)) {
    this.totalBytes = totalBytes;
    this.accountBytes = accountBytes;
  }

  get usedBytes(): number {
    return this.#used;
  }

  /** How many reservations were refused since the start. */
  get refusals(): number {
    return this.#refused;
  }

  /** `account` is an account id, or a name for work that belongs to no account. */
  reserve(account: string, bytes: number): Reservation {
    let wanted = 0;
    let taken = 0;
    let released = false;
    const grow = (more: number) => {
      if (released) throw new Error('bug: a released reservation grows');
      if (!(more >= 0)) throw new Error(`bug: a reservation grows by ${more}`);
      const next = Math.min(this.totalBytes, wanted + more);
      this.#take(account, taken, next - taken);
      wanted += more;
      taken = next;
    };
    grow(bytes);
    return {
      get bytes() {
        return taken;
      },
      grow,
      release: () => {
        if (released) return;
        released = true;
        this.#giveBack(account, taken);
      },
    };
  }

  /** Runs `work` with the bytes set aside, whatever becomes of it. */
  async run<T>(account: string, bytes: number, work: (reservation: Reservation) => Promise<T>): Promise<T> {
    const reservation = this.reserve(account, bytes);
    try {
      return await work(reservation);
    } finally {
      reservation.release();
    }
  }

  /** `own` is what the growing reservation holds already. */
  #take(account: string, own: number, more: number): void {
    const held = this.#held.get(account) ?? 0;
    const overShare = held + more > this.accountBytes && held > own;
    if (overShare || this.#used + more > this.totalBytes) {
      this.#refused += 1;
      throw new SurroundingsError(
        'unavailable',
        `the memory budget is used up: ${more} more bytes were needed, ${this.#used} of ${this.totalBytes} are in use, ${held} by this account`,
        { message: 'The server works on as many bytes as its memory allows. Retry later.' },
      );
    }
    this.#used += more;
    this.#held.set(account, held + more);
  }

  #giveBack(account: string, bytes: number): void {
    this.#used -= bytes;
    const left = (this.#held.get(account) ?? 0) - bytes;
    if (left > 0) this.#held.set(account, left);
    else this.#held.delete(account);
  }
}

/** Sets aside `factor` bytes for every byte that passes, from the first byte beyond `free`. */
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
