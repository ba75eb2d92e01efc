import type { RunSlice } from './slice-wire.ts';

/** A slice whose pieces are taken in row order while it is filled, here or on another thread. */
export interface SliceInProgress {
  /** Whether all pieces are filled; those that nobody has taken yet are still held. */
  readonly isFilled: boolean;
  /** Tails that are held. */
  readonly heldBytes: number;
  take(): RunSlice | undefined;
  /** Settles when there is another piece, or no further one. */
  fillMore(): Promise<void> | void;
}

/** A slice of this thread: it goes on only when it is told to. */
export class OwnSlice implements SliceInProgress {
  readonly #pieces: Iterator<RunSlice>;
  readonly #held: RunSlice[] = [];
  isFilled = false;
  heldBytes = 0;

  constructor(pieces: Iterator<RunSlice>) {
    this.#pieces = pieces;
  }

  take(): RunSlice | undefined {
    const piece = this.#held.shift();
    this.heldBytes -= piece?.tails.length ?? 0;
    return piece;
  }

  fillMore(): void {
    const { done, value } = this.#pieces.next();
    if (done === true) {
      this.isFilled = true;
      return;
    }
    this.#held.push(value);
    this.heldBytes += value.tails.length;
  }
}

/** A slice of another thread: its pieces arrive by themselves. */
export class ThreadSlice implements SliceInProgress {
  readonly #onTaken: (bytes: number) => void;
  readonly #held: RunSlice[] = [];
  #wake: (() => void) | undefined;
  #failure: Error | undefined;
  isFilled = false;
  heldBytes = 0;

  /** `onTaken` receives how many bytes of tails a piece had that was taken. */
  constructor(onTaken: (bytes: number) => void) {
    this.#onTaken = onTaken;
  }

  add(piece: RunSlice): void {
    this.#held.push(piece);
    this.heldBytes += piece.tails.length;
    this.#wake?.();
  }

  end(failure?: Error): void {
    this.#failure = failure;
    this.isFilled = true;
    this.#wake?.();
  }

  take(): RunSlice | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    const piece = this.#held.shift();
    if (piece === undefined) return undefined;
    this.heldBytes -= piece.tails.length;
    this.#onTaken(piece.tails.length);
    return piece;
  }

  async fillMore(): Promise<void> {
    if (this.isFilled || this.#held.length > 0) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
}
